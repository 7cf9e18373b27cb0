"""A dataclass or namedtuple of tensors on the object is as far from torch as a list of them."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn


@dataclass
class Stats:
    mean: torch.Tensor
    scale: torch.Tensor


class Bounds(NamedTuple):
    low: torch.Tensor
    high: torch.Tensor


class Sizes(NamedTuple):
    width: int
    height: int


class Recorded(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.stats = Stats(torch.zeros(dim), torch.ones(dim))  # expect: TL105
        self.bounds = Bounds(low=torch.zeros(dim), high=torch.ones(dim))  # expect: TL105
        self.sizes = Sizes(dim, 1)  # ok: TL105  numbers

    def forward(self, x):
        return ((x - self.stats.mean) / self.stats.scale).clamp(self.bounds.low, self.bounds.high) * self.sizes.height


class Harmless(nn.Module):
    def __init__(self, dim: int, mean: torch.Tensor):
        super().__init__()
        self.moved = Stats(torch.zeros(dim), torch.ones(dim))  # note: TL105  moved at every read
        self.given = Stats(mean, mean)  # note: TL105  the caller's own
        self.renewed = Stats(torch.zeros(dim), torch.ones(dim))  # ok: TL105  each call makes it anew
        self.shown = Stats(torch.zeros(dim), torch.ones(dim))  # ok: TL105  only its shape is asked
        self.written = Stats(torch.zeros(dim), torch.ones(dim))  # ok: TL105  what it holds is replaced
        self.both = Sizes(dim, torch.ones(dim))  # ok: TL105  nothing reads the tensor in it

    def forward(self, x):
        self.renewed = Stats(x.mean(0), x.std(0))
        self.written.mean = x.mean(0)
        x = x - self.moved.mean.to(x) + self.given.mean
        return x / self.renewed.scale - self.written.mean * self.shown.mean.shape[0] / self.both.width


class Limits(NamedTuple):
    mean: torch.Tensor
    scale: torch.Tensor


def make(frozen: bool, dim: int):
    return Limits(torch.zeros(dim), torch.ones(dim)) if frozen else Stats(torch.zeros(dim), torch.ones(dim))


class OneOfTwo(nn.Module):
    def __init__(self, dim: int, frozen: bool = True):
        super().__init__()
        self.stats = make(frozen, dim)  # ok: TL105  which class it is of is not known

    def forward(self, x):
        return (x - self.stats.mean) / self.stats.scale


class Converting(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.stats = Stats(torch.zeros(dim), torch.ones(dim))  # ok: TL105

    def _apply(self, fn, recurse=True):
        self.stats = Stats(fn(self.stats.mean), fn(self.stats.scale))
        return super()._apply(fn, recurse)

    def forward(self, x):
        return x - self.stats.mean


class Taken(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        stats = Stats(torch.zeros(dim), torch.ones(dim))
        self.mean = stats.mean  # expect: TL101
        self.register_buffer("scale", stats.scale)  # ok: TL101

    def forward(self, x):
        return (x - self.mean) / self.scale


def demonstrate():
    for module in (Recorded(3), Taken(3)):
        module.to("meta")
    try:
        Taken(3).to("meta")(torch.zeros(2, 3, device="meta"))
    except (RuntimeError, NotImplementedError):
        pass
    else:
        raise AssertionError
    Harmless(3, torch.zeros(3))(torch.ones(2, 3))
    OneOfTwo(3)(torch.ones(2, 3))
    assert Converting(3).double().stats.mean.dtype == torch.float64
    half = Recorded(3).double()
    assert half.stats.mean.dtype == torch.float32
