"""A helper keeps what evaluation alone hands it: train() need not name the cache for it to belong to the mode."""

import torch
from torch import nn


class Handed(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.table = None
        self.switches = 0

    def _remember(self, value):
        self.table = value

    def train(self, mode: bool = True):  # expect: TL103
        self.switches += 1
        return super().train(mode)

    def forward(self, x):
        if self.training:
            return x @ self.weight.softmax(-1)
        if self.table is None:
            self._remember(self.weight.softmax(-1))
        return x @ self.table


class Noted(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.table = None
        self.switches = 0

    def _remember(self, value):
        self.table = value

    def train(self, mode: bool = True):  # ok: TL103  what is handed over was computed from the input alone
        self.switches += 1
        return super().train(mode)

    def forward(self, x):
        if not self.training:
            self._remember(x.detach().mean())
        return x @ self.weight


def demonstrate():
    module, other = Handed(3).eval(), Handed(3).eval()
    x = torch.ones(2, 3)
    module(x)
    module.load_state_dict(other.state_dict())
    assert not torch.allclose(module(x), other(x))
    Noted(3).eval()(x)
