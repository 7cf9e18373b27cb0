"""Optimal transport: a criterion is picked by name, frozen by partial and called in the region; its cost matrix relies on a cast.

source: huggingface/diffusers#13920 kind, Parskatt/RoMa#2 (helpers called under a region); Sinkhorn losses
rules: [TL403]
"""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def cost(a, b):
    a, b = F.normalize(a, dim=-1).float(), F.normalize(b, dim=-1).float()  # expect: TL403
    return 1 - torch.bmm(a, b.transpose(1, 2))


def sinkhorn(a, b, rounds, heat):
    kernel = -cost(a, b) / heat
    for _ in range(rounds):
        kernel = kernel - kernel.logsumexp(2, keepdim=True)
        kernel = kernel - kernel.logsumexp(1, keepdim=True)
    return kernel


def spread(a, b, heat):
    far = (a.mean(1) - b.mean(1)).float().square().sum(-1)  # ok: TL403
    return F.softplus(far / heat).mean()


def kernel_only(a, b):
    """Called after the region is left."""
    return torch.bmm(a.float(), b.float().transpose(1, 2))  # ok: TL403


CRITERIA = {"ot": partial(sinkhorn, rounds=3, heat=0.05), "mean": partial(spread, heat=0.5)}


class Matcher(nn.Module):
    def __init__(self, dim=8, criterion="ot"):
        super().__init__()
        self.net, self.criterion = nn.Linear(dim, dim), CRITERIA[criterion]

    def forward(self, x, y):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            a, b = self.net(x), self.net(y)
            score = self.criterion(a, b)
        return score, kernel_only(a, b)


def build(name):
    return Matcher(criterion=name).to(DEVICE_TYPE)


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(2, 5, 8, device=DEVICE_TYPE), torch.randn(2, 4, 8, device=DEVICE_TYPE)
    a, b = build("ot").net(x), build("ot").net(y)
    exact = cost(a, b)
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        loose = cost(a, b)
    assert exact.dtype is torch.float32 and loose.dtype is torch.bfloat16, "the cast decided nothing"
    assert (exact - loose).abs().max() > 1e-4
    far, kernel = build("mean")(x, y)
    assert far.dtype is torch.float32 and kernel.dtype is torch.float32
