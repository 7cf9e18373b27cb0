"""Functions that change or compile a module and hand it back: what they return is that module."""

import torch
from torch import nn
from torch.nn.utils import parametrizations, remove_weight_norm, spectral_norm
from torch.nn.utils.parametrize import register_parametrization


class Twice(nn.Module):
    def forward(self, x):
        return 2 * x


class Steady(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = parametrizations.weight_norm(nn.Linear(3, 4))  # fact: module registered module
        self.fold = spectral_norm(nn.Linear(4, 3))  # fact: module registered module
        self.turn = parametrizations.orthogonal(nn.Linear(3, 3))  # fact: module registered module
        self.both = parametrizations.spectral_norm(nn.Linear(3, 3))  # fact: module registered module
        self.steps = [parametrizations.weight_norm(nn.Linear(3, 3)) for _ in "ab"]  # fact: container of module plain

    def forward(self, x):
        h = self.lift(x)  # fact: tensor floating from self.lift, x
        h = self.fold(h.relu())  # fact: tensor floating from self.fold, self.lift, x
        for step in self.steps:
            h = step(h)
        return self.both(self.turn(h))  # fact: tensor floating


def wrapped(layer):
    steady = spectral_norm(layer)  # fact: unknown dtype ?
    weighed = parametrizations.weight_norm(layer, dim=0)  # fact: unknown dtype ?
    quick = torch.compile(layer)  # fact: unknown dtype ?
    again = remove_weight_norm(layer)  # fact: unknown dtype ?
    return steady, weighed, quick, again


def demo():
    Steady()(torch.zeros(2, 3))
    plain = nn.Linear(3, 3)
    doubled = register_parametrization(plain, "weight", Twice())  # fact: module
    out = doubled(torch.zeros(1, 3))  # fact: tensor floating
    bare = remove_weight_norm(nn.utils.weight_norm(nn.Linear(2, 2)))  # fact: module
    grown = torch.compile(nn.Linear(2, 2))  # fact: module
    function = torch.compile(torch.sin)  # fact: unknown dtype ?
    return out, bare, grown, function
