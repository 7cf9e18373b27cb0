"""Running scales are divided by in forward and then updated in place, which autograd notices in backward.

source: open issues of "modified by an inplace operation" in running normalisers; facebookresearch/moco#21
rules: [TL121]
"""
from __future__ import annotations

import torch
from torch import nn


class RunningScale(nn.Module):
    def __init__(self, dim: int = 3, rate: float = 0.1):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.rate = rate
        self.register_buffer("scale", torch.ones(dim))
        self.register_buffer("shift", torch.zeros(dim))

    def normal(self, h):
        raise NotImplementedError

    def track(self, h) -> None:
        with torch.no_grad():
            self._write(h.detach())

    def _write(self, h):
        raise NotImplementedError

    def forward(self, x):
        h = self.mix(x)
        out = self.normal(h)
        if self.training:
            self.track(h)
        return out


class InPlaceScale(RunningScale):
    def normal(self, h):
        return h / self.scale

    def _write(self, h):
        spread = h.std(0)
        self.scale.mul_(1 - self.rate).add_(spread, alpha=self.rate)  # expect: TL121


class LerpScale(RunningScale):
    """The other order of operations, with an operator that saves its operand all the same."""

    def normal(self, h):
        return (h - self.shift) * self.scale

    def _write(self, h):
        torch.lerp(self.scale, 1 / h.std(0), self.rate, out=self.scale)  # expect: TL121


class ShiftOnly(RunningScale):
    """Subtraction saves nothing for backward."""

    def normal(self, h):
        return h - self.shift

    def _write(self, h):
        self.shift.lerp_(h.mean(0), self.rate)  # ok: TL121


class ReboundScale(RunningScale):
    def normal(self, h):
        return h / self.scale

    def _write(self, h):
        self.scale = torch.lerp(self.scale, h.std(0), self.rate)  # ok: TL121


class ClonedScale(InPlaceScale):
    def normal(self, h):
        return h / self.scale.clone()

    def _write(self, h):
        self.scale.lerp_(h.std(0), self.rate)  # ok: TL121


class FirstWrite(RunningScale):
    """Writes first, reads after."""

    def normal(self, h):
        return h / self.scale

    def _write(self, h):
        self.scale.lerp_(h.std(0), self.rate)  # ok: TL121

    def forward(self, x):
        h = self.mix(x)
        self.track(h)
        return self.normal(h)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(8, 3)
    for cls, works in (
        (InPlaceScale, False), (LerpScale, False), (ShiftOnly, True), (ReboundScale, True), (ClonedScale, True), (FirstWrite, True),
    ):
        m = cls()
        try:
            m(x).square().sum().backward()
            ok = True
        except RuntimeError as exc:
            assert "inplace" in str(exc), exc
            ok = False
        assert ok is works, cls
