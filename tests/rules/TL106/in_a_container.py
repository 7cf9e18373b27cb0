"""A list of views or of computed values is as stale as one of them; a list of Parameters is another matter."""

import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.first = nn.Parameter(torch.randn(dim, dim))
        self.second = nn.Parameter(torch.randn(dim, dim))
        self.turned = [self.first.t(), self.second.t()]  # expect: TL106
        self.sizes = [self.first.shape, self.second.shape]  # ok: TL106

    def forward(self, x):
        for weight in self.turned:
            x = x @ weight
        return x.view(-1, self.sizes[0][0])


class AsNeeded(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.first = nn.Parameter(torch.randn(dim, dim))
        self.second = nn.Parameter(torch.randn(dim, dim))

    def turned(self):
        return [self.first.t(), self.second.t()]  # ok: TL106

    def forward(self, x):
        for weight in self.turned():
            x = x @ weight
        return x


def demonstrate():
    Layers(3)(torch.ones(2, 3))
    AsNeeded(3)(torch.ones(2, 3))
