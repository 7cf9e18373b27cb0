"""A dict that begins with one Parameter is no way to hide it: a list of one, read by [0], is."""

import torch
from torch import nn


class UnderAKey(nn.Module):
    def __init__(self):
        super().__init__()
        self.temperatures = {"first": nn.Parameter(torch.ones(1))}  # expect: TL105

    def forward(self, x):
        return x * self.temperatures["first"]


class Hidden(nn.Module):
    def __init__(self, teacher: nn.Module):
        super().__init__()
        self.teacher = [nn.Linear(2, 2)]  # note: TL105
        self.given = [teacher]  # note: TL105

    def forward(self, x):
        return self.teacher[0](x) + self.given[0](x)


class Registered(nn.Module):
    def __init__(self):
        super().__init__()
        self.temperatures = nn.ParameterDict({"first": nn.Parameter(torch.ones(1))})  # ok: TL105

    def forward(self, x):
        return x * self.temperatures["first"]


def demonstrate():
    assert not list(UnderAKey().parameters()) and list(Registered().parameters())
    Hidden(nn.Linear(2, 2))(torch.ones(1, 2))
