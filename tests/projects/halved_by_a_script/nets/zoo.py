"""A register of networks: the script sees only the function that makes one."""

from torch import nn

ZOO = {}


def enlisted(kind):
    ZOO[kind.__name__.lower()] = kind
    return kind


@enlisted
class Enlisted(nn.Module):
    def forward(self, x):
        return x / x.abs().sum(-1, keepdim=True).clamp(min=1e-10)  # expect: TL302


def made(name):
    return ZOO[name]()
