"""A loop divides lengths by each stride; the result is handed on in a dict and, less one, becomes an index."""
import torch
from torch import nn


class Reduced(nn.Module):
    strides = (2, 2)

    def counts(self, lengths):
        left = lengths
        for stride in self.strides:
            left = left / stride  # expect: TL201
        return left

    def forward(self, x, lengths):
        return {"rows": x[:, ::4], "counts": self.counts(lengths)}


class ReducedWhole(Reduced):
    def counts(self, lengths):
        left = lengths
        for stride in self.strides:
            left = left // stride  # ok: TL201
        return left


class Last(nn.Module):
    reduced = Reduced

    def __init__(self):
        super().__init__()
        self.front = self.reduced()

    def forward(self, x, lengths):
        found = self.front(x, lengths)
        return found["rows"][torch.arange(len(x)), found["counts"] - 1]


class LastWhole(Last):
    reduced = ReducedWhole


class Weighed(nn.Module):
    def forward(self, x, lengths, strides):
        share = lengths
        for stride in strides:
            share = share / stride  # ok: TL201  a weight
        return x * share[:, None, None]


def demonstrate():
    x, lengths = torch.rand(2, 8, 3), torch.tensor([8, 4])
    try:
        Last()(x, lengths)
        raise AssertionError("a floating index was accepted")
    except IndexError:
        pass
    assert LastWhole()(x, lengths).shape == (2, 3)
    assert Weighed()(x, lengths, (2, 2)).shape == x.shape
