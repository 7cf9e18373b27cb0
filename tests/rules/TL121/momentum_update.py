"""A running centre is subtracted with the weights' gradient, then updated in place, in one call."""

import torch
from torch import nn


class Centred(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.register_buffer("scale", torch.ones(dim))
        self.register_buffer("centre", torch.zeros(dim))

    def forward(self, x):
        out = self.layer(x) * self.scale
        self.scale.lerp_(out.detach().abs().mean(0), 0.1)  # expect: TL121
        shifted = out - self.centre
        self.centre.lerp_(out.detach().mean(0), 0.1)  # ok: TL121  a difference saves nothing
        return shifted


class Before(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.register_buffer("scale", torch.ones(dim))

    def forward(self, x):
        out = self.layer(x)
        self.scale.lerp_(out.detach().abs().mean(0), 0.1)  # ok: TL121  written before it is read
        return out * self.scale


class Cloned(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.register_buffer("scale", torch.ones(dim))

    def forward(self, x):
        out = self.layer(x) * self.scale.clone()
        self.scale.add_(1)  # ok: TL121  the copy was read
        return out


def demonstrate():
    for owner, raises in ((Centred, True), (Before, False), (Cloned, False)):
        try:
            owner(2)(torch.ones(1, 2)).sum().backward()
        except RuntimeError:
            assert raises, owner
        else:
            assert not raises, owner
