"""train() that passes on the opposite, a constant or another attribute's mode, or hands back a part."""

import torch
from torch import nn


class Pinned(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.head = nn.Dropout()

    def train(self, mode: bool = True):  # expect: TL108
        super().train(True)
        self.norm.eval()
        return self


class Returned(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.head = nn.Dropout()

    def train(self, mode=True):  # expect: TL108
        return self.head.train(mode)

    def forward(self, x):
        return self.head(x)


class Splatted(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.head = nn.Dropout()

    def train(self, *args, **kwargs):  # ok: TL108  whatever is given is passed on
        out = super().train(*args, **kwargs)
        self.norm.eval()
        return out


class Assigned(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)

    def train(self, mode=True):  # ok: TL108  what torch does, written out
        self.training = mode
        for name, part in self.named_children():
            part.train(mode and name != "norm")
        return self


def demonstrate():
    assert Pinned(3).eval().training
    assert not isinstance(Returned(3).train(), Returned)
    assert not Splatted(3).train(False).training
    assert isinstance(Assigned(3).eval(), Assigned)
