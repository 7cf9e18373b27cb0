"""A tensor of no dimensions meets every device and changes no dtype: a note. One element in a dimension does not."""
import math

import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.temperature = torch.tensor(0.5)  # note: TL101
        self.total = torch.ones(3).sum()  # note: TL101
        self.scale = torch.tensor([0.5])  # expect: TL101
        self.rate = 0.5  # ok: TL101
        self.log_rate = math.log(0.5)  # ok: TL101
        self.steps = int(torch.tensor(3.0))  # ok: TL101

    def forward(self, x):
        return x * self.temperature * self.total * self.scale * self.rate * self.log_rate * self.steps


def demonstrate():
    x = torch.ones(2, device="meta", dtype=torch.float16)
    module = Weighted()
    y = x * module.temperature * module.total
    assert y.is_meta
    assert y.dtype == torch.float16
    try:
        x * module.scale
        raise AssertionError("one dimension is enough to clash")
    except RuntimeError:
        pass
