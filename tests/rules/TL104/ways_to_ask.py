"""The tests that keep a value: presence, a length, a number beside it, a flag, an early return, a helper that decides."""
import torch
from torch import nn


class Tables(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.table = None
        self.length = 0
        self.built = False  # todo: ok TL122  the flag of a cache

    def steps(self, x):
        return torch.arange(x.shape[-1], device=x.device, dtype=x.dtype)

    def forward(self, x):
        self.prepare(x)
        return x + self.table


class ByPresence(Tables):
    def prepare(self, x):
        if self.table is None:
            self.table = self.steps(x)  # expect: TL104


class ByLength(Tables):
    def prepare(self, x):
        if self.table is None or len(self.table) != x.shape[-1]:
            self.table = self.steps(x)  # expect: TL104


class ByNumberBeside(Tables):
    def prepare(self, x):
        if x.shape[-1] != self.length:
            self.length = x.shape[-1]
            self.table = self.steps(x)  # expect: TL104


class ByFlag(Tables):
    def prepare(self, x):
        if not self.built:
            self.table = self.steps(x)  # expect: TL104
            self.built = True


class ByEarlyReturn(Tables):
    def prepare(self, x):
        if self.length == x.shape[-1]:
            return
        self.length = x.shape[-1]
        self.table = self.steps(x)  # expect: TL104


class ByTestOfTheCaller(Tables):
    def prepare(self, x):
        if self.length != x.shape[-1]:
            self.length = x.shape[-1]
            self.store(x)

    def store(self, x):
        self.table = self.steps(x)  # expect: TL104


class ByHelper(Tables):
    def is_stale(self, x):
        return self.table is None or len(self.table) != x.shape[-1]

    def prepare(self, x):
        if self.is_stale(x):
            setattr(self, "table", self.steps(x))  # expect: TL104


class ByMissingAttribute(Tables):
    def prepare(self, x):
        if not hasattr(self, "other"):
            self.other = self.steps(x)  # expect: TL104
        self.table = self.other * 1  # ok: TL104  in each call


class AsksAll(Tables):
    def is_stale(self, x):
        table = self.table
        return table is None or table.shape[-1] != x.shape[-1] or table.device != x.device or table.dtype != x.dtype

    def prepare(self, x):
        if self.is_stale(x):
            self.table = self.steps(x)  # ok: TL104


class AsksForOneKey(Tables):
    def prepare(self, x):
        key = (x.shape, x.device, x.dtype)
        if self.length != key:
            self.length = key
            self.table = self.steps(x)  # ok: TL104


class AsksForTheInput(Tables):
    def prepare(self, x):
        if self.length is not x:
            self.length = x
            self.table = self.steps(x)  # ok: TL104


class AsksForLikeness(Tables):
    def prepare(self, x):
        if self.built is False or not self.fits(x):
            self.table, self.built = self.steps(x), True  # ok: TL104

    def fits(self, x):
        if self.table.device != x.device or self.table.dtype != x.dtype:
            return False
        return len(self.table) == x.shape[-1]


class InEachCall(Tables):
    def prepare(self, x):
        if self.dim:
            self.table = self.steps(x)  # ok: TL104  no call decides for the next


def raises(kind: type[Tables]) -> bool:
    module = kind()
    module(torch.ones(4))
    try:
        module(torch.ones(4, device="meta"))
    except RuntimeError:
        return True
    return False


def demonstrate():
    for kind in (ByPresence, ByLength, ByNumberBeside, ByFlag, ByEarlyReturn, ByTestOfTheCaller, ByHelper, ByMissingAttribute):
        assert raises(kind), kind
    for kind in (AsksAll, AsksForOneKey, AsksForTheInput, AsksForLikeness, InEachCall):
        assert not raises(kind), kind
