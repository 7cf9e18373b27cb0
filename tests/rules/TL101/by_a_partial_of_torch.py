"""A partial of torch.tensor, a static method and an enumerated dict of tables make the constants of a schedule."""

from functools import partial

import numpy as np
import torch
from torch import nn


class Schedule(nn.Module):
    def __init__(self, steps: int):
        super().__init__()
        betas = np.linspace(1e-4, 2e-2, steps)
        to_torch = partial(torch.tensor, dtype=torch.float32)
        self.betas = to_torch(betas)  # expect: TL101
        self.register_buffer("alphas", to_torch(1.0 - betas))  # ok: TL101
        self.steps = int(len(betas))  # ok: TL101
        self.mask = self._causal(steps)  # expect: TL101
        self.weights = [1.0] * steps  # ok: TL101, TL105

    @staticmethod
    def _causal(size):
        mask = (torch.triu(torch.ones(size, size)) == 1).transpose(0, 1)
        return mask.float().masked_fill(mask == 0, float("-inf"))

    def forward(self, x):
        return x * self.betas + self.alphas + self.mask.exp().sum(0) + self.weights[0]


class Tables(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        tables = {"sine": torch.zeros(dim), "cosine": torch.ones(dim)}
        for name, table in tables.items():
            setattr(self, name, table)  # expect: TL101
        for name, table in tables.items():
            self.register_buffer(f"{name}_table", table)  # ok: TL101

    def forward(self, x):
        return x * self.cosine + self.sine * self.sine_table


def demonstrate():
    for module, names in ((Schedule(3), ("betas", "mask")), (Tables(3), ("sine", "cosine"))):
        module.double()
        for name in names:
            assert getattr(module, name).dtype == torch.float32
            assert name not in module.state_dict()
