"""A helper goes through the parts of a model and tells those of a class to write into their weights."""

import torch
import torch.nn.functional as F
from torch import nn


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(2, 2)
        self.extra = nn.Parameter(torch.ones(2, 2))
        self.merged = False

    def merge(self):
        self.base.weight.data += self.extra.data
        self.merged = True

    def forward(self, x):
        return self.base(x) if self.merged else self.base(x) + F.linear(x, self.extra)


def fold(net):
    for part in net.modules():
        if isinstance(part, Adapter):
            part.merge()


def look(net):
    for part in net.modules():
        if isinstance(part, Adapter):
            part.eval()


@torch.no_grad()
def drift(net, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        before = net(x)
        fold(net)  # expect: TL408
        return (before - net(x)).abs().max()


@torch.no_grad()
def drift_apart(net, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        before = net(x)
    fold(net)  # ok: TL408
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return (before - net(x)).abs().max()


@torch.no_grad()
def looked_at(net, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        before = net(x)
        look(net)  # ok: TL408  nothing is written
        return (before - net(x)).abs().max()


@torch.no_grad()
def another(net, other, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        before = net(x)
        fold(other)  # ok: TL408
        return (before - net(x)).abs().max()


def demonstrate():
    x = torch.ones(1, 2)
    assert drift(nn.Sequential(Adapter()), x) > 1
    assert drift_apart(nn.Sequential(Adapter()), x) < 0.1
    assert looked_at(nn.Sequential(Adapter()), x) == 0
    assert another(nn.Sequential(Adapter()), nn.Sequential(Adapter()), x) == 0
