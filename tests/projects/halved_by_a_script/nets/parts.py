"""The script halves what holds the one, and never names the other."""

from torch import nn


def guarded(total):
    return 1 / (total + 1e-10)  # expect: TL302


def guarded_offline(total):
    return 1 / (total + 1e-10)  # ok: TL302


class Unit(nn.Module):
    def forward(self, x):
        return x / (x.norm(dim=-1, keepdim=True) + 1e-9)  # expect: TL302


class Other(nn.Module):
    def forward(self, x):
        return x / (x.norm(dim=-1, keepdim=True) + 1e-9)  # ok: TL302
