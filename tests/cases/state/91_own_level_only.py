"""Checkpoint and gradient helpers that stop at the module's own level, next to walks for which that is right.

source: meta-pytorch/torchrec#1091; helper functions of training scripts
rules: [TL110]
"""
import io
from operator import attrgetter

import torch
from torch import nn


class Speaker(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(dim))
        self.enc = nn.GRU(dim, dim)
        self.out = nn.Linear(dim, 2)

    def forward(self, x):
        return self.out(self.enc(x + self.token)[0])


def weights_for_export(net: nn.Module) -> dict:
    return {k: v.detach().cpu() for k, v in net.named_parameters(recurse=False)}  # expect: TL110


def save_light(net: nn.Module, handle) -> None:
    blob = dict(net.named_parameters(recurse=False))  # expect: TL110
    torch.save(blob, handle)


def gradient_norm(net: nn.Module) -> float:
    grads = [p.grad.norm() for p in net.parameters(recurse=False) if p.grad is not None]  # expect: TL110
    return float(torch.stack(grads).norm()) if grads else 0.0


def export_all(net: nn.Module) -> dict:
    return {k: v.detach().cpu() for k, v in net.named_parameters()}  # ok: TL110


def export_by_owner(net: nn.Module) -> dict:
    found = {}
    for prefix, owner in net.named_modules():
        for k, v in owner.named_parameters(prefix=prefix, recurse=False):  # ok: TL110
            found[k] = v.detach().cpu()
    return found


def describe(net: nn.Module, depth: int = 0) -> list[str]:
    """Recursion by hand over the children."""
    own = sum(p.numel() for p in net.parameters(recurse=False))  # ok: TL110
    lines = [f"{'  ' * depth}{type(net).__name__}: {own}"]
    for child in net.children():
        lines += describe(child, depth + 1)
    return lines


def matched(net: nn.Module, other: nn.Module):
    return [torch.equal(a, attrgetter(n)(other)) for n, a in net.named_parameters()]  # ok: TL110


# ---- demonstration: not part of the graded code ----
def demonstrate():
    net = Speaker()
    net(torch.randn(4, 1, 3)).sum().backward()
    assert len(weights_for_export(net)) == 1 and len(export_all(net)) == 7
    assert export_by_owner(net).keys() == export_all(net).keys()
    f = io.BytesIO()
    save_light(net, f)
    f.seek(0)
    assert list(torch.load(f)) == ["token"]
    full = float(torch.stack([p.grad.norm() for p in net.parameters()]).norm())
    assert gradient_norm(net) < full
    assert sum(int(line.split(": ")[1]) for line in describe(net)) == sum(p.numel() for p in net.parameters())
    assert all(matched(net, net))
