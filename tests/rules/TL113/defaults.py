"""A default of forward, a class constant of a base, and an imported-like table of the file."""

import torch
from torch import nn

MEAN = torch.tensor([0.5, 0.4, 0.3]).view(3, 1, 1)  # expect: TL113
STD = (0.2, 0.2, 0.2)  # ok: TL113
LOOKUP = torch.arange(3)  # ok: TL113  only construction reads it


class Base(nn.Module):
    KERNEL = torch.ones(1, 1, 3, 3) / 9  # expect: TL113


class Blur(Base):
    def __init__(self):
        super().__init__()
        self.register_buffer("lookup", LOOKUP.clone())

    def forward(self, x):
        x = x - MEAN
        x = x / torch.tensor(STD, device=x.device).view(3, 1, 1)
        return torch.nn.functional.conv2d(x[:, :1], self.KERNEL) + self.lookup.sum()


def demonstrate():
    module = Blur()
    module(torch.ones(1, 3, 4, 4))
    try:
        module.to("meta")(torch.ones(1, 3, 4, 4, device="meta"))
    except (RuntimeError, NotImplementedError):
        return
    raise AssertionError
