"""A method that keeps what it is given is no source of its own: the caller says what is kept."""

import torch
from torch import nn


class Kept(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self._cache = {}

    def _remember(self, key, value):
        self._cache[key] = value

    def train(self, mode: bool = True):  # expect: TL103
        if mode:
            self._cache.clear()
        return super().train(mode)

    def forward(self, x):
        if self.training:
            return x @ self.weight.softmax(-1)
        if "soft" not in self._cache:
            self._remember("soft", self.weight.softmax(-1))
        return x @ self._cache["soft"]


class Counted(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self._cache = {}

    def _remember(self, key, value):
        self._cache[key] = value

    def train(self, mode: bool = True):  # ok: TL103  numbers of the shape are kept
        if mode:
            self._cache.clear()
        return super().train(mode)

    def forward(self, x):
        if "width" not in self._cache:
            self._remember("width", self.weight.shape[0])
        return x @ self.weight / self._cache["width"]


def demonstrate():
    module, other = Kept(3).eval(), Kept(3).eval()
    x = torch.ones(2, 3)
    module(x)
    module.load_state_dict(other.state_dict())
    assert not torch.allclose(module(x), other(x))
    Counted(3)(torch.ones(2, 3))
