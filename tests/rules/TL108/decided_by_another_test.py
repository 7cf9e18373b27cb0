"""train() is passed up as a constant, and something other than the mode decides on which."""
import torch
from torch import nn


class Part(nn.Module):
    def __init__(self, is_frozen: bool = False):
        super().__init__()
        self.is_frozen = is_frozen
        self.body = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))

    def forward(self, x):
        return self.body(x)


class Deaf(Part):
    def train(self, mode: bool = True):  # expect: TL108
        if self.is_frozen:
            super().train(False)
        else:
            super().train()
        return self


class FrozenFirst(Part):
    def train(self, mode: bool = True):  # ok: TL108
        return super().train(mode and not self.is_frozen)


class FrozenInside(Part):
    def train(self, mode: bool = True):  # ok: TL108
        if mode and not self.is_frozen:
            super().train(True)
        else:
            super().train(False)
        return self


class AskedBefore(Part):
    def train(self, mode: bool = True):  # ok: TL108
        is_on = mode and not self.is_frozen
        if is_on:
            super().train(True)
        else:
            super().train(False)
        return self


class NeverTrains(Part):
    def train(self, mode: bool = True):  # ok: TL108  on purpose
        return super().train(False)


def demonstrate():
    assert Deaf().train(False).body[1].training
    for kind in (FrozenFirst, FrozenInside, AskedBefore, NeverTrains):
        assert not kind().train(False).body[1].training
    Deaf()(torch.ones(2))
