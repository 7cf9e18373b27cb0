"""A layer without parameters teaches a value nothing: what it makes is as plain as its input."""
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.mix = nn.Linear(dim, dim)
        self.mask = self.drop(torch.ones(dim))  # expect: TL101
        self.mixed = self.mix(torch.ones(dim))  # expect: TL106  # ok: TL101  made of Parameters: another rule owns it

    def forward(self, x):
        return x * self.mask + self.mixed


def demonstrate():
    module = Masked().double()
    assert module.mask.dtype is torch.float32
