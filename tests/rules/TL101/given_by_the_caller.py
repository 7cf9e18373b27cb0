"""A tensor of the caller's is left behind too, but the caller chose its place: a note. What is computed from it is not."""
from __future__ import annotations

import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, weight: torch.Tensor, shift: torch.Tensor | None = None, rate=0.5):
        super().__init__()
        self.weight = weight  # note: TL101
        self.scaled = weight * 2  # expect: TL101
        self.shift = shift  # note: TL101
        self.rate = rate  # ok: TL101  it may be a number
        self.register_buffer("kept", weight)  # ok: TL101
        self.learned = nn.Parameter(weight)  # ok: TL101

    def forward(self, x):
        y = x * self.weight * self.kept * self.learned * self.rate + self.scaled
        return y if self.shift is None else y + self.shift


def demonstrate():
    module = Weighted(torch.ones(3), torch.ones(3)).to("meta")
    assert module.kept.is_meta
    assert module.learned.is_meta
    assert not any(value.is_meta for value in (module.weight, module.scaled, module.shift))
