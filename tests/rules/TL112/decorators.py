"""lru_cache, cache and cached_property on methods, under any name."""
import functools
from functools import cache as remembered
from functools import cached_property, lru_cache

import torch
from torch import nn


class Remembering(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.weight = nn.Parameter(torch.ones(dim))

    @lru_cache(maxsize=None)  # expect: TL112
    def power(self, exponent: int):
        return self.weight**exponent

    @remembered  # expect: TL112
    def doubled(self):
        return self.weight * 2

    @functools.cached_property  # expect: TL112
    def table(self):
        return torch.arange(self.dim).float()

    @cached_property  # ok: TL112
    def size(self):
        return self.weight.shape[0]

    @cached_property  # ok: TL112
    def total(self):
        return float(self.weight.sum())

    @lru_cache  # ok: TL112
    def shape(self, rows: int):
        return (rows, self.dim)

    @lru_cache(maxsize=8)  # note: TL112
    def placed(self, device, dtype):
        return torch.arange(self.dim, device=device, dtype=dtype)

    @staticmethod
    @lru_cache(maxsize=8)  # ok: TL112  it sees no module
    def steps(count: int, device):
        return torch.arange(count, device=device)

    @property
    def fresh(self):
        return self.weight * 3  # ok: TL112

    def forward(self, x):
        kept = self.power(2) * self.doubled() * self.table + self.placed(x.device, x.dtype)
        return x * kept * self.fresh + self.size + self.total + self.shape(1)[0] + self.steps(1, x.device)


class Plain:
    @cached_property
    def table(self):
        return torch.arange(3)  # ok: TL112


def demonstrate():
    module = Remembering()
    module(torch.ones(4))
    module.double()
    with torch.no_grad():
        module.weight.fill_(5)
    assert module.table.dtype is torch.float32
    assert module.doubled().dtype is torch.float32
    assert torch.equal(module.power(2).detach(), torch.ones(4))
