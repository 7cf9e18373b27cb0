"""A factory that a parameter has by default: a caller that gives another decides where the table lies."""

import torch
from torch import nn


class Table(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.linear = nn.Linear(dim, dim)

    def forward(self, x, make=torch.zeros):
        return self.linear(x) + make(x.shape[-1])  # ok: TL204  a caller may give a factory of the device

    def shifted(self, x):
        return self.linear(x) + torch.ones(x.shape[-1])  # expect: TL204


def demo():
    table = Table(3).to("meta")
    x = torch.zeros(2, 3, device="meta")
    assert table(x, lambda count: torch.zeros(count, device="meta")).is_meta
