"""A tensor is a Parameter, a buffer or nothing special depending on settings, and a buffer is deleted before it is replaced.

source: styalai/xLSTM-pytorch#2, Lightning-AI/pytorch-lightning#1978, vision transformers with optional learned positions
rules: [TL101]
"""
from __future__ import annotations

from enum import Enum

import torch
from torch import nn


class Kind(Enum):
    LEARNED = "learned"
    SINE = "sine"
    ROT = "rot"


def sine(n: int, dim: int) -> torch.Tensor:
    ang = torch.arange(n)[:, None] / 100 ** (torch.arange(dim) / dim)
    return torch.where(torch.arange(dim) % 2 == 0, ang.sin(), ang.cos())


class Positions(nn.Module):
    def __init__(self, kind: Kind = Kind.SINE, n: int = 6, dim: int = 4):
        super().__init__()
        self.kind = kind
        if kind is Kind.LEARNED:
            self.table = nn.Parameter(torch.zeros(n, dim))  # ok: TL101
        else:
            self.table = sine(n, dim)  # expect: TL101

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class TidyPositions(nn.Module):
    def __init__(self, kind: Kind = Kind.SINE, n: int = 6, dim: int = 4):
        super().__init__()
        start = torch.zeros(n, dim) if kind is Kind.LEARNED else sine(n, dim)
        self.table = nn.Parameter(start, requires_grad=kind is Kind.LEARNED)  # ok: TL101

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class LongPositions(TidyPositions):
    """Registered first as None, so that the assignment in either branch is a buffer."""

    def __init__(self, n: int = 6, dim: int = 4, stretch: float | None = None):
        nn.Module.__init__(self)
        self.register_buffer("table", None, persistent=False)
        base = sine(n, dim)
        if stretch:
            self.table = base * stretch  # ok: TL101
        else:
            self.table = base  # ok: TL101


class ResizedPositions(LongPositions):
    """Deleting the buffer takes the name out of the registry."""

    def __init__(self, n: int = 6, dim: int = 4, size: int = 8):
        super().__init__(n, dim)
        old = self.table
        del self.table
        grown = nn.functional.interpolate(old.mT[None], size=size, mode="linear")[0].mT
        self.table = grown  # expect: TL101


class GrownPositions(LongPositions):
    def __init__(self, n: int = 6, dim: int = 4, size: int = 8):
        super().__init__(n, dim)
        grown = nn.functional.interpolate(self.table.mT[None], size=size, mode="linear")[0].mT
        self.table = grown  # ok: TL101


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 5, 4)
    for make, follows in (
        (Positions, False), (lambda: Positions(Kind.LEARNED), True), (TidyPositions, True), (LongPositions, True),
        (lambda: LongPositions(stretch=2.0), True), (ResizedPositions, False), (GrownPositions, True),
    ):
        m = make()
        m(x)
        assert (m.half()(x.half()).dtype == torch.float16) is follows, make
        try:
            ok = m.to("meta")(x.half().to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is follows, make
