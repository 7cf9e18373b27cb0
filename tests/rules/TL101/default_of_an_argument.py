"""An argument that is None by default is replaced by a tensor: that is what a module built by its defaults holds."""
import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, weight=None, bias=None, gain=None):
        super().__init__()
        if weight is None:
            weight = torch.ones(3)
        self.weight = weight  # expect: TL101
        self.bias = torch.zeros(3) if bias is None else bias  # expect: TL101
        self.gain = gain  # ok: TL101  nothing is known of it

    def forward(self, x):
        return x * self.weight + self.bias + (self.gain or 0)


def demonstrate():
    module = Weighted().double()
    assert module.weight.dtype is torch.float32
    assert module.bias.dtype is torch.float32
