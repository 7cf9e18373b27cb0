"""A Python number that construction takes out of a Parameter stays what it was, like a tensor would."""
import math

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.proj = nn.Linear(dim, dim)
        self.temperature = self.scale.exp().item()  # expect: TL106
        self.size = float(self.proj.weight.norm()) / math.sqrt(dim)  # expect: TL106

    def forward(self, x):
        return self.proj(x) * self.temperature / self.size


class Sizes(nn.Module):
    """Shapes and flags are no values."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.count = float(self.proj.weight.numel())  # ok: TL106
        self.rows = float(self.proj.weight.shape[0])  # ok: TL106
        self.length = float(len(self.proj.weight))  # ok: TL106
        self.learns = self.proj.weight.requires_grad  # ok: TL106

    def forward(self, x):
        return self.proj(x) / self.count / self.rows / self.length if self.learns else x


class Asked(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.start = self.scale.item()  # ok: TL106  nobody computes with it

    @property
    def temperature(self):
        return self.scale.exp()  # ok: TL106

    def forward(self, x):
        return x * self.temperature


class Constant(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.log = torch.tensor(2.0).log().item()  # ok: TL106

    def forward(self, x):
        return x * self.scale * self.log


def demonstrate():
    x = torch.ones(1, 3)
    module, fresh = Scaled(), Scaled()
    with torch.no_grad():
        module.scale.fill_(2)
    before = module(x)
    module.scale.data.fill_(5)
    assert torch.equal(module(x), before)
    fresh.load_state_dict(module.state_dict())
    assert fresh.temperature == Scaled().temperature
    for kind in (Sizes, Asked, Constant):
        kind()(x)
