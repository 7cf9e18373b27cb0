"""A store under a test of the module's own state is a cache, which has rules of its own."""
import torch
from torch import nn


class Guarded(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.table = None
        self.size = 0
        self.last = None

    def forward(self, x):
        if self.table is None:
            self.table = self.weight.exp()  # expect: TL104  # ok: TL102  stored once: a cache
        if len(x) != self.size:
            self.size = len(x)
            self.wide = self.weight.expand(len(x), -1)  # expect: TL104  # ok: TL102  keyed by the size
        if self.last is not None:
            x = x + self.last
        out = x * self.weight * self.table + self.wide
        self.last = out  # expect: TL102
        return out


class GuardedByOthers(nn.Module):
    """A test of the input, or of the mode, makes no cache."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.last = None
        self.other = None

    def forward(self, x):
        out = x * self.weight
        mixed = out if self.last is None else out + self.last
        mixed = mixed if self.other is None else mixed + self.other
        if self.training:
            self.last = out  # expect: TL102
        if x.shape[0] > 1:
            self.other = out  # expect: TL102
        return mixed


def demonstrate():
    for module in (Guarded(), GuardedByOthers()):
        module(torch.ones(2, 4)).sum().backward()
        try:
            module(torch.ones(2, 4)).sum().backward()
            raise AssertionError("the graph of the first call is gone")
        except RuntimeError as error:
            assert "second time" in str(error)
