"""A function builds the container and calls what it is given for each member."""
from collections import OrderedDict, defaultdict

import torch
from torch import nn


def bottleneck(dim: int) -> nn.Sequential:
    down, up = nn.Linear(dim, 1), nn.Linear(1, dim)
    return nn.Sequential(down, nn.GELU(), up)


def activation() -> nn.Sequential:
    return nn.Sequential(nn.GELU(), nn.Identity())


def for_each(names, make):
    return OrderedDict((name, make()) for name in names)


def listed(count: int, make):
    return [make() for _ in range(count)]


class Plain(nn.Module):
    def __init__(self, names=("a", "b"), dim: int = 3):
        super().__init__()
        self.adapters = for_each(names, lambda: bottleneck(dim))  # expect: TL105
        self.heads = listed(2, lambda: nn.Linear(dim, dim))  # expect: TL105
        self.scales = for_each(names, lambda: nn.Parameter(torch.ones(dim)))  # expect: TL105
        self.ordered = OrderedDict(a=nn.Linear(dim, dim))  # expect: TL105
        self.later = dict.fromkeys(names)  # expect: TL105
        for name in names:
            self.later[name] = nn.Linear(dim, dim)
        self.lazily = defaultdict(lambda: nn.Linear(dim, dim))  # expect: TL105
        self.joined = {"a": nn.Linear(dim, dim)} | {"b": nn.Linear(dim, dim)}  # expect: TL105
        self.shapes = for_each(names, lambda: (dim, dim))  # ok: TL105
        self.curves = for_each(names, activation)  # note: TL105  nothing is lost

    def forward(self, x):
        for name in self.adapters:
            x = self.later[name](self.lazily[name](self.joined[name](x)))
            x = self.adapters[name](x) * self.scales[name] + self.curves[name](x) + sum(self.shapes[name])
        for head in self.heads:
            x = head(x)
        return self.ordered["a"](x)


class Registered(nn.Module):
    def __init__(self, names=("a", "b"), dim: int = 3):
        super().__init__()
        self.adapters = nn.ModuleDict(for_each(names, lambda: bottleneck(dim)))  # ok: TL105
        self.heads = nn.ModuleList(listed(2, lambda: nn.Linear(dim, dim)))  # ok: TL105
        self.index = for_each(names, lambda: None)  # ok: TL105
        self.seen = defaultdict(int)  # ok: TL105
        self.limits = dict.fromkeys(names, 0.0)  # ok: TL105
        for name in names:
            self.index[name] = self.adapters[name]

    def forward(self, x):
        for name in self.index:
            x = self.index[name](x) + self.limits[name]
            self.seen[name] += 1
        return x


def demonstrate():
    x = torch.ones(1, 3)
    assert Plain()(x).shape == x.shape and not list(Plain().parameters())
    assert Registered()(x).shape == x.shape and len(list(Registered().parameters())) == 12
