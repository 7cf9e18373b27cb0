"""Memory that is allocated once and left uninitialised is filled by each call: less harm than a table of values."""
import torch
from torch import nn


class Scratch(nn.Module):
    def __init__(self, size: int = 4):
        super().__init__()
        self.out = torch.empty(size)  # note: TL101
        self.filled = torch.empty(size)  # expect: TL101
        nn.init.ones_(self.filled)
        table = torch.empty(size)
        table.fill_(2.0)
        self.table = table  # expect: TL101

    def forward(self, x):
        torch.mul(x, self.filled, out=self.out)
        return self.out + self.table


def demonstrate():
    module = Scratch()
    assert torch.equal(module(torch.ones(4)), torch.full((4,), 3.0))
    module.to("meta")
    assert not module.out.is_meta
    assert not module.filled.is_meta
    assert not module.table.is_meta
