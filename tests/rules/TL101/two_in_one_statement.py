"""Two attributes of one statement are two findings."""
import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.low, self.high = torch.zeros(dim), torch.ones(dim)  # expect: TL101
        self.count = self.width = dim  # ok: TL101

    def forward(self, x):
        return x.clamp(self.low, self.high)


def demonstrate():
    module = Pair().double()
    assert module.low.dtype is torch.float32
    assert module.high.dtype is torch.float32
