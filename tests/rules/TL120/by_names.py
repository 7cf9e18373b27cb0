"""Names in a loop, setattr and a second registration: a later value all the same."""

import torch
from torch import nn


class Statistics(nn.Module):
    def __init__(self):
        super().__init__()
        for name in ("low", "high"):
            self.register_buffer(name, None)  # note: TL120
        self.register_buffer("centre", None)  # note: TL120

    def fit(self, x):
        for name, value in (("low", x.amin(0)), ("high", x.amax(0))):
            setattr(self, name, value)
        self.register_buffer("centre", x.mean(0))

    def forward(self, x):
        return (x - self.centre) / (self.high - self.low)


class Reset(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", None)  # ok: TL120  it is only emptied

    def reset(self):
        self.state = None

    def forward(self, x):
        return x


class Declared(nn.Module):
    def __init__(self, size=None):
        super().__init__()
        self.register_buffer("table", None)  # ok: TL120  construction may fill it
        self.register_buffer("grid", None if size is None else torch.zeros(size))  # ok: TL120
        if size is not None:
            self.table = torch.zeros(size)

    def forward(self, x):
        self.grid = torch.zeros_like(x)
        self.table = torch.zeros_like(x)
        return x


def demonstrate():
    module = Statistics()
    module.fit(torch.randn(5, 3))
    module(torch.randn(2, 3))
