"""A tensor at the top level of a file that a method reads, by any name and in any container."""

import torch
from torch import nn

LEVELS = torch.linspace(-1, 1, 8)  # expect: TL113
MIDDLES = (LEVELS[1:] + LEVELS[:-1]) / 2  # expect: TL113
KERNELS = {"mean": torch.ones(3), "edge": torch.tensor([1.0, 0.0, -1.0])}  # expect: TL113
ALIAS = LEVELS
NUMBERS = [-1.0, 0.0, 1.0]  # ok: TL113
COPIED = torch.ones(3)  # ok: TL113  construction registers a copy of it
UNREAD = torch.ones(3)  # ok: TL113
TESTED = torch.ones(3)  # ok: TL113  only a function that no module calls reads it


class Quantizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("copied", COPIED.clone())
        self.register_buffer("numbers", torch.tensor(NUMBERS))

    def forward(self, x):
        codes = torch.bucketize(x, MIDDLES)
        return ALIAS[codes] + (x[..., :3] * KERNELS["edge"] * self.copied * self.numbers).sum()


def check(module):
    return module(TESTED)


def demonstrate():
    check(Quantizer())
