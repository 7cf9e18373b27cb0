"""The base registers names that the subclass fills: an assignment to them stays registered."""
from __future__ import annotations

import torch
from torch import Tensor, nn


class FilterBase(nn.Module):
    taps: Tensor
    window: Tensor | None

    def __init__(self, size: int = 4):
        super().__init__()
        for name in ("taps", "window"):
            self.register_buffer(name, None)
        self.design(size)

    def design(self, size: int) -> None:
        raise NotImplementedError

    def forward(self, x):
        taps = self.taps if self.window is None else self.taps * self.window
        return (x.unfold(-1, len(taps), 1) * taps).sum(-1)


class Average(FilterBase):
    def design(self, size):
        self.taps = torch.full((size,), 1.0 / size)  # ok: TL101
        self.window = torch.hann_window(size)  # ok: TL101


class Shifted(FilterBase):
    def design(self, size):
        self.taps = torch.ones(size)  # ok: TL101
        self.offset = self.taps.cumsum(0)[-1:]  # expect: TL101

    def forward(self, x):
        return super().forward(x) + self.offset


class BatchNormStart(nn.BatchNorm1d):
    """torch's own layer registers running_mean and running_var."""

    def __init__(self, dim: int):
        super().__init__(dim)
        self.running_mean = torch.full((dim,), 0.5)  # ok: TL101


def demonstrate():
    x = torch.zeros(2, 9).to("meta")
    assert Average().to("meta")(x).is_meta
    assert BatchNormStart(3).to("meta").running_mean.is_meta
    try:
        Shifted().to("meta")(x)
        raise AssertionError("the offset stays on the CPU")
    except RuntimeError:
        pass
