"""An instance that has its own attribute of the name does not read the one of the class."""

import torch
from torch import nn


class Own(nn.Module):
    table = torch.zeros(3)  # ok: TL113  only the default: each instance sets its own
    kernel: torch.Tensor  # ok: TL113  an annotation without a value

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(3)) if False else 1.0
        self.register_buffer("kernel", torch.ones(3))

    def forward(self, x):
        return x * self.kernel + self.table


class Plain:
    table = torch.zeros(3)  # ok: TL113  no module

    def read(self, x):
        return x + self.table


def demonstrate():
    Own()(torch.ones(3))
    Plain().read(torch.ones(3))
