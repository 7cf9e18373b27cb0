"""A table computed from a constant buffer stays true; one computed from running statistics does not."""

import torch
from torch import nn


class Schedule(nn.Module):
    def __init__(self, steps: int):
        super().__init__()
        self.register_buffer("betas", torch.linspace(0.1, 0.2, steps))
        self.register_buffer("kept", torch.cumprod(1 - self.betas, 0))  # ok: TL106  both are constants
        self.register_buffer("roots", self.kept.sqrt())  # ok: TL106

    def forward(self, x, step):
        return x * self.roots[step] + self.kept[step]


class Running(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.register_buffer("variance", torch.ones(dim))
        self.register_buffer("deviation", self.variance.sqrt())  # expect: TL106

    def forward(self, x):
        if self.training:
            self.variance.lerp_(x.detach().var(0), 0.1)
        return x / self.deviation


def demonstrate():
    Schedule(3)(torch.ones(2, 3), 1)
    module = Running(3)
    module(torch.randn(5, 3))
    assert not torch.equal(module.deviation, module.variance.sqrt())
