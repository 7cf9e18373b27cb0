"""Modules inside of functools.partial lists, a dict of dicts, a list in a child object, and a list that is zipped."""

import torch
from torch import nn


class Pool:
    """A plain object with layers of its own."""

    def __init__(self, dim: int):
        self.layers = [nn.Linear(dim, dim) for _ in range(2)]


class Zipped(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.names = ["a", "b"]
        self.heads = dict(zip(self.names, [nn.Linear(dim, dim) for _ in self.names]))  # expect: TL105
        self.stages = {"first": {"conv": nn.Linear(dim, dim)}}  # note: TL105  one module in a dict of one
        self.scales = tuple(nn.Parameter(torch.ones(dim)) for _ in range(2))  # expect: TL105
        self.body = nn.ModuleDict({"a": nn.Linear(dim, dim)})
        self.order = [self.body["a"]]  # ok: TL105

    def forward(self, x):
        for name in self.names:
            x = self.heads[name](x)
        x = self.stages["first"]["conv"](x)
        for scale in self.scales:
            x = x * scale
        return self.order[0](x)


class Listed(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        layers = []
        layers += [nn.Linear(dim, dim)]
        layers.extend(nn.Linear(dim, dim) for _ in range(2))
        self.layers = layers  # expect: TL105
        registered = []
        registered += [nn.Linear(dim, dim)]
        self.registered = nn.ModuleList(registered)  # ok: TL105

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.registered[0](x)


def demonstrate():
    assert len(list(Zipped(3).parameters())) == 2
    assert len(list(Listed(3).parameters())) == 2
    Zipped(3)(torch.ones(1, 3)), Listed(3)(torch.ones(1, 3))
