"""Most train() overrides cache nothing: they pin layers, freeze, count or delegate."""
import torch
from torch import nn


class Pinned(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(2, 2)
        self.head = nn.Linear(2, 2)
        self.switches = 0
        self.cached = None

    def forward(self, x):
        return self.head(self.encoder(x))

    def train(self, mode: bool = True):  # ok: TL103
        super().train(mode)
        self.encoder.eval()
        self.switches += 1
        for parameter in self.encoder.parameters():
            parameter.requires_grad = False
        return self


class NeverTrain(Pinned):
    def train(self, mode: bool = True):  # ok: TL103
        return super().train(False)


class Replaced(Pinned):
    """A child module is a module, not a cache of one."""

    def train(self, mode: bool = True):
        super().train(mode)
        self.head = nn.Linear(2, 2) if mode else nn.Identity()  # ok: TL103
        return self


class Cached(Pinned):
    def train(self, mode: bool = True):
        super().train(mode)
        self.cached = None if mode else self.head.weight @ self.encoder.weight  # expect: TL103
        return self


def demonstrate():
    assert not Pinned().train().encoder.training
    module = Cached().eval()
    assert module.cached.requires_grad  # stored outside of no_grad, it keeps the graph as well
