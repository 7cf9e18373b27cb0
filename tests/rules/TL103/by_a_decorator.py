"""A decorator of the project that keeps results on the object; train() empties what it keeps, and a load does not."""

from functools import wraps

import torch
from torch import nn


def remembered(name):
    def decorate(function):
        @wraps(function)
        def wrapper(self, *args, **kwargs):
            if self.training:
                return function(self, *args, **kwargs)
            if name not in self._kept:
                self._kept[name] = function(self, *args, **kwargs)
            return self._kept[name]

        return wrapper

    return decorate


def shape_remembered(function):
    @wraps(function)
    def wrapper(self):
        if "shape" not in self._kept:
            self._kept["shape"] = function(self)
        return self._kept["shape"]

    return wrapper


class Normed(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self._kept = {}

    def train(self, mode: bool = True):  # expect: TL103
        self._kept.clear()
        return super().train(mode)

    @remembered("normed")
    def normed(self):
        return self.weight / self.weight.norm(dim=1, keepdim=True)

    def forward(self, x):
        return x @ self.normed()


class Shaped(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self._kept = {}

    def train(self, mode: bool = True):  # ok: TL103  the kept value is a size
        self._kept.clear()
        return super().train(mode)

    @shape_remembered
    def width(self):
        return self.weight.shape[0]

    def forward(self, x):
        return x @ self.weight / self.width()


class Emptied(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self._kept = {}

    def train(self, mode: bool = True):  # ok: TL103  every event empties it
        self._kept.clear()
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self._kept.clear()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self._kept.clear()
        super()._load_from_state_dict(*args, **kwargs)

    @remembered("normed")
    def normed(self):
        return self.weight / self.weight.norm(dim=1, keepdim=True)

    def forward(self, x):
        return x @ self.normed()


def demonstrate():
    for owner, stale in ((Normed, True), (Emptied, False)):
        module, other = owner(3).eval(), owner(3)
        x = torch.ones(2, 3)
        module(x)
        module.load_state_dict(other.state_dict())
        assert torch.allclose(module(x), other.eval()(x)) is not stale
    Shaped(3)(torch.ones(1, 3))
