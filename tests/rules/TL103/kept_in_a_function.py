"""eval() puts a function on the object that carries the folded weights: a closure, a lambda or a partial."""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


class Scaled(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.scale = nn.Parameter(torch.ones(dim, 1))
        self.run = self.slow

    def slow(self, x):
        return F.linear(x, self.weight * self.scale)

    def quick(self, x):
        return F.linear(x, self.weight * self.scale)

    def folded(self):
        return (self.weight * self.scale).detach()

    def forward(self, x):
        return self.run(x)


class ByClosure(Scaled):
    def train(self, mode: bool = True):
        folded = self.folded()
        self.run = self.slow if mode else (lambda x: F.linear(x, folded))  # expect: TL103
        return super().train(mode)


class ByPartial(Scaled):
    def train(self, mode: bool = True):
        self.run = self.slow if mode else partial(F.linear, weight=self.folded())  # expect: TL103
        return super().train(mode)


class ByMethod(Scaled):
    def train(self, mode: bool = True):
        self.run = self.slow if mode else self.quick  # ok: TL103
        return super().train(mode)


class OfAShape(Scaled):
    def train(self, mode: bool = True):
        folded = self.folded()
        self.run = self.slow if mode else (lambda x: self.quick(x.view(-1, folded.shape[0])))  # ok: TL103
        return super().train(mode)


def demonstrate():
    for make, follows in ((ByClosure, False), (ByPartial, False), (ByMethod, True), (OfAShape, True)):
        module = make().eval()
        module.load_state_dict({"weight": torch.zeros(3, 3), "scale": torch.ones(3, 1)})
        assert bool((module(torch.ones(2, 3)) == 0).all()) is follows, make
