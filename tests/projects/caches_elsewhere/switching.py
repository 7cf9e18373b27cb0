"""A base that fills the cache when evaluation starts."""
import torch
from torch import nn


class Switching(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.table = None

    def fold(self):
        return self.weight.exp().detach()

    def forward(self, x):
        return x * (self.fold() if self.table is None else self.table)
