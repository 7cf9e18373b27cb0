"""_apply, or forward itself, brings the attribute up to date; an overridden to() does not, for no parent calls it."""

import torch
from torch import nn


class ByApply(nn.Module):
    def __init__(self, device="cpu"):
        super().__init__()
        self.device = device  # ok: TL119
        self.weight = nn.Parameter(torch.ones(3))

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.device = self.weight.device
        return self

    def forward(self, x):
        return x + torch.ones(3, device=self.device)


class ByForward(nn.Module):
    def __init__(self, device="cpu"):
        super().__init__()
        self.device = device  # ok: TL119

    def forward(self, x):
        self.device = x.device
        return x + self.ones()

    def ones(self):
        return torch.ones(3, device=self.device)


class ByTo(nn.Module):
    def __init__(self, device="cpu"):
        super().__init__()
        self.device = device  # note: TL119

    def to(self, *args, **kwargs):
        self.device = args[0]
        return super().to(*args, **kwargs)

    def forward(self, x):
        return x + torch.ones(3, device=self.device)


def demonstrate():
    child = ByTo()
    nn.Sequential(child).to("meta")
    assert child.device == "cpu"
    for kind in (ByApply, ByForward, ByTo):
        kind()(torch.ones(3))
