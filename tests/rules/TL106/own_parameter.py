"""A Parameter that starts from another one, and what has only the form of one, take no values that could go stale."""

import torch
from torch import nn


class Twins(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.query = nn.Parameter(torch.randn(dim, dim))
        self.key = nn.Parameter(self.query.detach().clone())  # ok: TL106  trained by itself
        self.register_buffer("steps", self.query.new_zeros(dim))  # ok: TL106
        self.register_buffer("mask", torch.ones(dim).to(self.query))  # ok: TL106  only its dtype and device
        self.register_buffer("ones", torch.ones(dim, device=self.query.device))  # ok: TL106
        self.register_buffer("count", torch.ones(dim) * self.query.numel())  # ok: TL106  a number of its shape

    def forward(self, x):
        return x @ self.query @ self.key.t() * self.mask + self.steps + self.ones * self.count


def demonstrate():
    Twins(3)(torch.ones(2, 3))
