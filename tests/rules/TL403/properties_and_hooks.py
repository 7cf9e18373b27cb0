"""Nothing calls them by name: properties run where they are read, forward hooks where their modules run."""

import torch
from torch import nn


class Bilinear(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.root = nn.Parameter(torch.randn(width, width))

    @property
    def form(self):
        return self.root.float() @ self.root.t()  # expect: TL403

    @property
    def trace(self):
        return (self.root.float() * self.root.float()).sum()  # ok: TL403  elementwise

    @property
    def audit(self):
        return self.root.float() @ self.root.t()  # ok: TL403  read outside of regions only

    @property
    def exact(self):
        with torch.autocast("cpu", enabled=False):
            return self.root.float() @ self.root.t()  # ok: TL403  an island


def score(bilinear: Bilinear, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return (x * (x @ bilinear.form) + bilinear.trace + bilinear.exact.sum()).sum()


def check(bilinear: Bilinear):
    return torch.linalg.eigvalsh(bilinear.audit)


class Gram:
    def __init__(self, layer):
        self.kept = []
        layer.register_forward_hook(self.keep)
        layer.register_full_backward_hook(self.after)

    def keep(self, layer, args, out):
        flat = out.detach().flatten(1)
        self.kept.append(flat.float() @ flat.t())  # expect: TL403

    def after(self, layer, inward, outward):
        self.kept.append(outward[0].float() @ outward[0].t())  # ok: TL403  autograd runs it after the region


def collect(network, batches):
    found = Gram(network)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for batch in batches:
            network(batch)
    return found.kept
