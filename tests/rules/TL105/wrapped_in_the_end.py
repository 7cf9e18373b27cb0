"""A list that construction turns into a ModuleList or Sequential under the same name is registered when it ends."""
import torch
from torch import nn


class Wrapped(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.stages = []  # ok: TL105
        for _ in range(2):
            self.stages.append(nn.Linear(dim, dim))
        self.stages = nn.ModuleList(self.stages)
        self.block = [nn.Linear(dim, dim)]  # ok: TL105
        self.block += [nn.ReLU()]
        self.block = nn.Sequential(*self.block)

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return self.block(x)


class Forgotten(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.stages = []  # expect: TL105
        for _ in range(2):
            self.stages.append(nn.Linear(dim, dim))
        self.depth = len(self.stages)  # ok: TL105

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x / self.depth


def demonstrate():
    assert len(list(Wrapped().parameters())) == 6
    assert not list(Forgotten().parameters())
    assert Wrapped().double()(torch.ones(3, dtype=torch.float64)).dtype == torch.float64
