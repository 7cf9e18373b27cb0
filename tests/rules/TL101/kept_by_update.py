"""The object's __dict__, vars() and a walrus assign attributes as a statement does."""

import torch
from torch import nn


class Updated(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.__dict__["offset"] = torch.zeros(dim)  # expect: TL101
        self.__dict__.update(scale=torch.ones(dim))  # expect: TL101
        self.__dict__["width"] = dim  # ok: TL101  a number

    def forward(self, x):
        return (x + self.offset) * self.scale / self.width


class Swapped(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.low, (self.high, self.dim) = torch.zeros(dim), (torch.ones(dim), dim)  # expect: TL101
        self.first = self.second = torch.ones(dim)  # expect: TL101

    def forward(self, x):
        return x.clamp(self.low, self.high) * self.first * self.second


class Conditional(nn.Module):
    def __init__(self, dim: int, learned: bool):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim)) if learned else torch.ones(dim)  # expect: TL101
        self.bias = nn.Parameter(torch.ones(dim)) if learned else None  # ok: TL101

    def forward(self, x):
        return x * self.gain if self.bias is None else x * self.gain + self.bias


def demonstrate():
    for module, names in (
        (Updated(3), ("offset", "scale")),
        (Swapped(3), ("low", "high", "first")),
        (Conditional(3, False), ("gain",)),
    ):
        module.double()
        for name in names:
            assert getattr(module, name).dtype == torch.float32, name
            assert name not in module.state_dict()
