"""A detached copy says that it is meant to stay; a copy of a turned weight, still attached, does not."""

import torch
from torch import nn


class Anchored(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.register_buffer("start", self.weight.detach().clone())  # note: TL106
        self.turned = self.weight.t().clone()  # expect: TL106

    def distance(self):
        return (self.weight - self.start).square().sum()

    def forward(self, x):
        return x @ self.turned


class Unused(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.turned = self.weight.t()  # ok: TL106  nothing reads it
        inverse = 1 / self.weight.detach()
        self.size = inverse.shape[0]  # ok: TL106

    def forward(self, x):
        return x @ self.weight / self.size


def demonstrate():
    Anchored(3).distance()
    Unused(3)(torch.ones(2, 3))
