"""A lambda, a partial or a property of another class that captured a value of the weights keeps the old one."""

from functools import partial

import torch
from torch import nn


def scaled(x, by):
    return x * by


class Captured(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim))
        norm = self.weight.norm()
        self.scale = partial(scaled, by=norm)  # expect: TL101  a captured tensor
        self.shift = lambda x: x + norm  # expect: TL101
        self.fresh = lambda x: x + self.weight.norm()  # ok: TL106  computed at each call
        self.bound = partial(scaled, by=self.weight)  # ok: TL106  the Parameter itself

    def forward(self, x):
        return self.scale(x) + self.shift(x) + self.fresh(x) + self.bound(x)


class Tied(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.encoder = nn.Linear(dim, dim)
        self.decoder = self.encoder.weight.t()  # expect: TL106
        self.norm, self.width = self.encoder.weight.norm(dim=0), dim  # expect: TL106
        (self.tied,) = (self.encoder.weight,)  # ok: TL106  the same Parameter

    def forward(self, x):
        return self.encoder(x) @ self.decoder.t() / self.norm + x @ self.tied


def demonstrate():
    module, other = Captured(3), Captured(3)
    x = torch.ones(2, 3)
    module.load_state_dict(other.state_dict())
    assert not torch.allclose(module.scale(x), other.scale(x))
    assert not torch.allclose(module.shift(x), other.shift(x))
    assert torch.allclose(module.fresh(x), other.fresh(x)) and torch.allclose(module.bound(x), other.bound(x))
    tied, another = Tied(3), Tied(3)
    tied.load_state_dict(another.state_dict())
    assert not torch.allclose(tied.norm, another.norm)
    tied.double()
    assert tied.decoder.dtype == torch.float32
