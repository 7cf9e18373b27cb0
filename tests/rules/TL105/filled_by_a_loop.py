"""Modules in a defaultdict, a deque, a tuple or a nested comprehension are no parts of the module."""

from collections import OrderedDict, defaultdict, deque

import torch
from torch import nn


class Hidden(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.groups = defaultdict(list)  # expect: TL105
        for index in range(4):
            self.groups[index % 2].append(nn.Linear(dim, dim))
        self.ring = deque(nn.Linear(dim, dim) for _ in range(2))  # expect: TL105
        self.pairs = tuple((nn.Linear(dim, dim), nn.ReLU()) for _ in range(2))  # expect: TL105
        self.named = OrderedDict((f"layer{i}", nn.Linear(dim, dim)) for i in range(2))  # expect: TL105
        self.sizes = defaultdict(list)  # ok: TL105
        for index in range(4):
            self.sizes[index % 2].append(dim)

    def forward(self, x):
        for layers in self.groups.values():
            for layer in layers:
                x = layer(x)
        for layer in self.ring:
            x = layer(x)
        for layer, activation in self.pairs:
            x = activation(layer(x))
        for layer in self.named.values():
            x = layer(x)
        return x * len(self.sizes[0])


class Registered(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        layers = [nn.Linear(dim, dim) for _ in range(2)]
        self.body = nn.Sequential(*layers)
        self.order = deque(layers)  # ok: TL105  the same layers, registered in the body
        named = OrderedDict((f"layer{i}", nn.Linear(dim, dim)) for i in range(2))
        self.named = nn.ModuleDict(named)  # ok: TL105

    def forward(self, x):
        for layer in self.order:
            x = layer(x)
        for layer in self.named.values():
            x = layer(x)
        return x


def demonstrate():
    assert not list(Hidden(3).parameters())
    Hidden(3)(torch.ones(1, 3))
    assert len(list(Registered(3).parameters())) == 8
    Registered(3)(torch.ones(1, 3))
