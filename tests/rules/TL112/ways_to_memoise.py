"""lru_cache bound in the constructor, or called on the method in the class body, keeps tensors as a decorator does."""

import functools
from functools import cache, lru_cache

import torch
from torch import nn


class Bound(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim
        self.grid = lru_cache(maxsize=None)(self._grid)  # expect: TL112
        self.steps = lru_cache(maxsize=None)(self._steps)  # ok: TL112

    def _grid(self, size):
        return torch.arange(size * self.dim)

    def _steps(self, size):
        return size * self.dim

    def forward(self, x):
        return x + self.grid(x.shape[0]) * self.steps(1)


class InBody(nn.Module):
    grid = functools.cache(lambda self, size: torch.arange(size))  # todo: TL112  a decorator that is called in the class body

    def forward(self, x):
        return x + self.grid(x.shape[-1])


class Static(nn.Module):
    @staticmethod
    @cache
    def grid(size, device):  # ok: TL112  the key has the device
        return torch.arange(size, device=device)

    @cache
    def size(self, length):  # ok: TL112
        return length * 2

    def forward(self, x):
        return x + self.grid(x.shape[-1], x.device)


def demonstrate():
    module = Bound(2)
    module.grid(2)
    assert module.grid(2) is module.grid(2)
    InBody()(torch.ones(3))
    assert InBody.grid.cache_info().currsize == 1
    Static()(torch.ones(3))
