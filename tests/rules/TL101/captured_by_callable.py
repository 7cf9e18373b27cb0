"""A lambda, a partial or a closure that captured a tensor hides it from the module; one that asks self does not."""
import functools
import math
from collections.abc import Callable

import torch
from torch import nn


def lookup(table: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    return table[lengths]


def clamp_between(low: torch.Tensor, high: torch.Tensor) -> Callable[[torch.Tensor], torch.Tensor]:
    return lambda x: torch.maximum(torch.minimum(x, high), low)


class Capturing(nn.Module):
    def __init__(self, bands: int = 4):
        super().__init__()
        table = torch.logspace(-1, 0, bands)
        self.head = lambda length: table[:length]  # expect: TL101
        self.pick = functools.partial(lookup, table)  # expect: TL101
        self.limit = clamp_between(-table, table)  # expect: TL101
        self.decibel = lambda x: 20.0 / math.log(10.0) * x.abs().log()  # ok: TL101
        self.act = functools.partial(nn.functional.leaky_relu, negative_slope=0.1)  # ok: TL101
        self.of_size = lambda x: x[:bands]  # ok: TL101  it captured a number

    def forward(self, x):
        return self.act(self.limit(x + self.head(len(x))))


class Asking(nn.Module):
    def __init__(self, bands: int = 4):
        super().__init__()
        self.register_buffer("table", torch.logspace(-1, 0, bands))
        self.head = lambda length: self.table[:length]  # ok: TL101
        self.limit = lambda x: torch.minimum(x, self.table)  # ok: TL101

    def forward(self, x):
        return self.limit(x + self.head(len(x)))


class CapturingGiven(nn.Module):
    """The tensor is the caller's, who chose its place."""

    def __init__(self, table: torch.Tensor):
        super().__init__()
        self.head = lambda length: table[:length]  # note: TL101
        self.size = lambda x: x[: len(x)]  # ok: TL101

    def forward(self, x):
        return self.size(x) + self.head(len(x))


def demonstrate():
    x = torch.zeros(4)
    assert Capturing().half()(x.half()).dtype == torch.float32
    assert CapturingGiven(x).half()(x.half()).dtype == torch.float32
    assert Asking().half()(x.half()).dtype == torch.float16
