"""A template method indexes with what a subclass brings: the method that it overrides, or an attribute that it assigns."""
import torch
from torch import nn


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.rand(4, 2))
        self.prepare()

    def prepare(self):
        self.first = torch.zeros(1, dtype=torch.int64)  # note: TL101

    def place(self, x):
        raise NotImplementedError

    def rows(self, x):
        return self.table[self.place(x)]

    def forward(self, x):
        return self.rows(x) + self.table[self.first]


class ByCells(Lookup):
    def place(self, x):
        return x.floor().to(torch.float32).clamp(0, 3)  # expect: TL201


class ByWholeCells(Lookup):
    def place(self, x):
        return x.floor().to(torch.float32).clamp(0, 3).long()  # ok: TL201


class FromTheStart(ByWholeCells):
    def prepare(self):
        self.first = torch.zeros(1)  # expect: TL101, TL201


class WithRowsOfItsOwn(Lookup):
    """What the inherited method would do with the floating value, this class never lets it do."""

    def place(self, x):
        return x.floor().to(torch.float32).clamp(0, 3)  # ok: TL201

    def rows(self, x):
        return self.table[self.place(x).long()]


def demonstrate():
    x = torch.tensor([0.5, 2.5])
    for refused in (ByCells, FromTheStart):
        try:
            refused()(x)
            raise AssertionError(f"{refused.__name__}: a floating index was accepted")
        except IndexError:
            pass
    assert ByWholeCells()(x).shape == WithRowsOfItsOwn()(x).shape == (2, 2)
