"""A module asks an object that it was given; what that object computes depends on its class, which the file tells."""
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn


class Lookup:
    def __init__(self, width=4):
        self.width = width

    def column(self, flat):
        raise NotImplementedError

    def __call__(self, scores):
        return self.column(scores.flatten(1).argmax(1))


class DividingLookup(Lookup):
    def column(self, flat):
        return flat / self.width  # expect: TL201


class WholeLookup(Lookup):
    def column(self, flat):
        return flat // self.width  # ok: TL201


class Reader(nn.Module):
    def __init__(self, lookup, rows=4):
        super().__init__()
        self.lookup = lookup
        self.rows = nn.Parameter(torch.randn(rows, 2))

    def forward(self, scores):
        return self.rows[self.lookup(scores)]


class Compared(nn.Module):
    def __init__(self, lookup):
        super().__init__()
        self.lookup = lookup

    def forward(self, scores):
        return self.lookup(scores) < 2  # ok: TL201  compared, and no index


class Question:
    def answer(self, count):
        return SimpleNamespace(target=torch.ones(count.shape[0]) * 2)  # expect: TL201, TL204


class Answered(nn.Module):
    def __init__(self, question=None):
        super().__init__()
        self.question = question or Question()
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return F.cross_entropy(self.head(x), self.question.answer(x).target)


class Renamed(nn.Module):
    def __init__(self, question=None):
        super().__init__()
        self.question = question or Question()

    def forward(self, x):
        return x * self.question.answer(x).target[:, None]  # ok: TL201  a factor


def demonstrate():
    scores = torch.rand(3, 2, 4)
    assert Reader(WholeLookup())(scores).shape == (3, 2)
    assert Compared(DividingLookup())(scores).dtype == torch.bool
    for wrong in (lambda: Reader(DividingLookup())(scores), lambda: Answered()(torch.rand(3, 4))):
        try:
            wrong()
        except (IndexError, RuntimeError):
            continue
        raise AssertionError("a floating index was taken")
    assert Renamed()(torch.rand(3, 4)).shape == (3, 4)
