"""Helpers, loops, setattr and base classes compute the value in construction all the same."""

import torch
from torch import nn


def row_sums(weight):
    return weight.sum(dim=1)


def fold(layer):
    return layer.weight * layer.bias[:, None]


def rows_of(layer):
    return torch.ones(layer.out_features)


class Base(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.layer = nn.Linear(dim, dim)
        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(2)])
        self.prepare()

    def prepare(self):
        raise NotImplementedError


class Derived(Base):
    def prepare(self):
        self.sums = row_sums(self.weight)  # expect: TL106
        for name in ("folded", "doubled"):
            setattr(self, name, fold(self.layer))  # expect: TL106
        self.register_buffer("ones", rows_of(self.layer))  # ok: TL106  the helper takes no weights
        local = nn.Parameter(torch.randn(3))
        self.scale = local  # ok: TL106
        self.stacked = torch.stack([layer.weight for layer in self.layers])  # expect: TL106
        self.half_scale = local / 2  # expect: TL106

    def forward(self, x):
        return (
            x @ self.folded @ self.doubled * self.sums * self.ones
            + self.half_scale.sum()
            + self.scale.sum()
            + self.stacked.sum()
        )


def demonstrate():
    Derived(3)(torch.ones(2, 3))
