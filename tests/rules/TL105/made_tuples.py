"""namedtuple() and NamedTuple() make the class of a record; it is filled from a list, and unpacked by who reads it."""
from collections import namedtuple
from typing import NamedTuple

import torch
from torch import nn

Bank = namedtuple("Bank", "low high")
Range = NamedTuple("Range", [("start", float), ("end", float)])


def kernels(taps):
    return [torch.tensor(one) for one in taps]


class Analysis(nn.Module):
    def __init__(self, taps=((0.5, 0.5), (0.5, -0.5))):
        super().__init__()
        self.bank = Bank(*kernels(taps))  # expect: TL105

    def pair(self):
        return self.bank

    def forward(self, x):
        return [x @ one for one in self.pair()]


class ByName(nn.Module):
    def __init__(self):
        super().__init__()
        self.bank = Bank(low=torch.ones(2), high=torch.zeros(2))  # expect: TL105

    def forward(self, x):
        return x @ self.bank.low - x @ self.bank.high


class Numbers(nn.Module):
    def __init__(self):
        super().__init__()
        self.range = Range(0.0, 1.0)  # ok: TL105
        self.sizes = Bank(2, 3)  # ok: TL105

    def forward(self, x):
        low, high = self.sizes
        return x.clamp(self.range.start, self.range.end) * low * high


class OnlySizes(nn.Module):
    def __init__(self):
        super().__init__()
        self.bank = Bank(torch.ones(2), torch.ones(3))  # ok: TL105

    def forward(self, x):
        return x * self.bank.low.shape[0] * len(self.bank.high)


class Registered(nn.Module):
    def __init__(self):
        super().__init__()
        for name, one in zip(Bank._fields, kernels(((0.5, 0.5), (0.5, -0.5)))):
            self.register_buffer(name, one, persistent=False)  # ok: TL105

    def forward(self, x):
        return [x @ one for one in Bank(self.low, self.high)]


def demonstrate():
    x = torch.ones(2)
    for kind in (Analysis, ByName):
        try:
            kind().double()(x.double())
            raise AssertionError(kind)
        except RuntimeError as error:
            assert "dtype" in str(error)
    for kind in (Numbers, OnlySizes, Registered):
        kind().double()(x.double())
