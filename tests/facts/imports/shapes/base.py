"""What the package re-exports."""
import torch
from torch import nn

Missing = (lambda: lambda x: x)()


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2).long())

    def forward(self, x):
        return self.table  # fact: buffer int64 from self.table


def make():
    return torch.zeros(2).half()  # fact: tensor float16


def only_by_star():
    return torch.arange(2)  # fact: tensor int64


def _hidden():
    return torch.zeros(2)


def identity(x):
    return x  # fact: unknown dtype ? from x


def compute(function):
    return function()  # fact: not known
