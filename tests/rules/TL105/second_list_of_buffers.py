"""A conversion replaces buffers, so a list that holds them keeps the old ones; Parameters keep their identity."""
import torch
from torch import nn


class Twice(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.register_buffer("low", torch.zeros(dim))
        self.register_buffer("high", torch.ones(dim))
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        self.limits = [self.low, self.high]  # expect: TL105
        self.learned = [self.weight, self.bias]  # ok: TL105
        self.names = ["low", "high"]  # ok: TL105

    def forward(self, x):
        low, high = (getattr(self, name) for name in self.names)
        return torch.minimum(x * self.learned[0] + self.learned[1] + low - high, self.limits[1])


def demonstrate():
    module = Twice().double()
    assert module.low.dtype == torch.float64 and module.limits[0].dtype == torch.float32
    assert module.learned[0].dtype == torch.float64
