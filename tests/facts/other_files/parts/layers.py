"""Base classes of the other files."""
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.size = size
        self.register_buffer("table", torch.arange(size))
        self.scale = torch.ones(size)

    def lookup(self, x):
        return self.table

    def forward(self, x):
        return self.lookup(x)


class Normalized(nn.LayerNorm):
    def __init__(self, size):
        super().__init__(size)
        self.inner = Base(size)
