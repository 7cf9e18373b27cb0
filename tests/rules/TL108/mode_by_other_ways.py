"""train() that sets the flag alone, forgets the children, or is assigned in the constructor."""

import torch
from torch import nn


class FlagOnly(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout()

    def train(self, mode: bool = True):  # expect: TL108
        self.training = mode
        return self

    def forward(self, x):
        return self.drop(x)


class ByHand(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout()

    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def forward(self, x):
        return self.drop(x)


class EvalOnly(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout()
        self.frozen = False

    def eval(self):  # expect: TL108
        self.frozen = True
        return super().eval()

    def forward(self, x):
        return x if self.frozen else self.drop(x)


class EvalThroughTrain(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout()

    def eval(self):  # ok: TL108
        return self.train(False)

    def forward(self, x):
        return self.drop(x)


class Shadowing(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.half = dim // 2  # expect: TL108
        self.halved = dim // 2  # ok: TL108

    def forward(self, x):
        return x[..., : self.half]


def demonstrate():
    assert FlagOnly().eval().drop.training
    assert not ByHand().eval().drop.training
    assert not EvalOnly().train(False).frozen
    assert not EvalThroughTrain().eval().drop.training
    try:
        Shadowing(4).half()
    except TypeError:
        return
    raise AssertionError
