"""Modules in a list, tuple, dict or nested list are no children of the module."""
import collections

import torch
from torch import nn


def block(dim: int) -> nn.Module:
    return nn.Sequential(nn.Linear(dim, dim), nn.ReLU())


class Plain(nn.Module):
    def __init__(self, dim: int = 3, count: int = 2):
        super().__init__()
        self.listed = [nn.Linear(dim, dim) for _ in range(count)]  # expect: TL105
        self.paired = (block(dim), block(dim))  # expect: TL105
        self.named = dict(a=nn.Linear(dim, dim))  # expect: TL105
        self.ordered = collections.OrderedDict()  # expect: TL105
        self.ordered["a"] = nn.Linear(dim, dim)
        self.stages = []  # expect: TL105
        for _ in range(count):
            stage = [nn.Linear(dim, dim), nn.ReLU()]
            self.stages.append(stage)
        self.groups = {}  # expect: TL105
        for key in ("a", "b"):
            self.groups.setdefault(key, []).append(block(dim))
        self.grown = grown = []  # expect: TL105
        grown.append(nn.Linear(dim, dim))
        grown.extend([nn.Linear(dim, dim)])
        self.mapped = list(map(lambda _: nn.Linear(dim, dim), range(count)))  # expect: TL105
        self.filled = [None] * count  # expect: TL105
        for i in range(count):
            self.filled[i] = nn.Linear(dim, dim)
        self.more = []  # expect: TL105
        self.more += [nn.Linear(dim, dim)]

    def forward(self, x):
        for layer in [*self.listed, *self.paired, *self.named.values(), *self.ordered.values(), *self.grown]:
            x = layer(x)
        for layer in (*self.mapped, *self.filled):
            x = layer(x)
        for linear, act in self.stages:
            x = act(linear(x))
        for layers in self.groups.values():
            x = layers[0](x)
        return self.more[0](x)


def made(dim: int):
    return nn.Linear(dim, dim), {"depth": 1}


class Registered(nn.Module):
    def __init__(self, dim: int = 3, count: int = 2):
        super().__init__()
        first, depths = made(dim)
        self.first = first
        self.depths = {"start": 0, **depths}  # ok: TL105  the other part of what a helper returns
        self.listed = nn.ModuleList(nn.Linear(dim, dim) for _ in range(count))  # ok: TL105
        self.paired = nn.Sequential(block(dim), block(dim))  # ok: TL105
        self.named = nn.ModuleDict(dict(a=nn.Linear(dim, dim)))  # ok: TL105
        self.ordered = collections.OrderedDict()  # ok: TL105
        self.ordered["a"] = nn.Linear(dim, dim)
        self.ordered = nn.ModuleDict(self.ordered)
        self.stages = nn.ModuleList()  # ok: TL105
        for _ in range(count):
            stage = [nn.Linear(dim, dim), nn.ReLU()]
            self.stages.append(nn.ModuleList(stage))
        grown = []  # ok: TL105  a local list
        grown.append(nn.Linear(dim, dim))
        self.grown = nn.Sequential(*grown)
        self.widths = [dim] * count  # ok: TL105  numbers
        self.makers = {"linear": nn.Linear, "act": nn.ReLU}  # ok: TL105  classes, not modules

    def forward(self, x):
        for layer in [*self.listed, self.paired, *self.named.values(), *self.ordered.values(), self.grown]:
            x = layer(x)
        for linear, act in self.stages:
            x = act(linear(x))
        return self.first(x) * self.widths[0] + len(self.makers) + self.depths["depth"]


def demonstrate():
    plain, registered = Plain().double(), Registered().double()
    assert not list(plain.parameters()) and not plain.state_dict()
    assert plain.listed[0].weight.dtype == torch.float32
    assert len(list(registered.parameters())) == 2 * 2 + 2 * 2 + 2 + 2 + 2 * 2 + 2 + 2
    assert registered(torch.ones(3, dtype=torch.float64)).dtype == torch.float64
