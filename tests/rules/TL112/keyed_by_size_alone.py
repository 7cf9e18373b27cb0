"""cached_property of a table, and lru_cache of a method with maxsize, beside what follows the device."""

from functools import cached_property, lru_cache

import torch
from torch import nn


class Cached(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim
        self.register_buffer("base", torch.ones(dim))

    @cached_property  # expect: TL112
    def doubled(self):
        return self.base * 2

    @cached_property  # ok: TL112
    def width(self):
        return self.base.shape[0] * 2

    @lru_cache(maxsize=8)  # expect: TL112
    def mask(self, size):
        return torch.ones(size, size).triu(1).bool()  # expect: TL204

    def forward(self, x):
        return (x * self.doubled).masked_fill(self.mask(x.shape[-1]), 0.0) / self.width


def demonstrate():
    module = Cached(3)
    module(torch.ones(3, 3))
    module.double()
    assert module.doubled.dtype == torch.float32
