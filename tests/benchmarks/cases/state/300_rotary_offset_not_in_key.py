"""Rotary angles are remembered by a textual key; the offset of the decoding step (or the place of the angles) is not in it.

source: lucidrains/rotary-embedding-torch#11 (offset missing in the cache key), incremental decoding with kv caches
rules: [TL104]
"""
from typing import Callable

import torch
import torch.nn as nn


def spin(x: torch.Tensor, ang: torch.Tensor) -> torch.Tensor:
    a, b = x[..., 0::2], x[..., 1::2]
    c, s = ang.cos(), ang.sin()
    return torch.stack((a * c - b * s, a * s + b * c), -1).flatten(-2)


class Spinner(nn.Module):
    def __init__(self, width: int, theta: float = 100.0):
        super().__init__()
        self.register_buffer("rates", theta ** (-torch.arange(0, width, 2).float() / width), persistent=False)
        self._known = {}  # ok: TL105

    def _positions(self, n: int, start: int) -> torch.Tensor:
        return torch.arange(start, start + n, device=self.rates.device, dtype=self.rates.dtype)

    def angles(self, n: int, start: int) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, x: torch.Tensor, start: int = 0) -> torch.Tensor:
        return spin(x, self.angles(x.shape[-2], start))


class KeyedByLength(Spinner):
    def _recall(self, key: str, make: Callable[[], torch.Tensor]) -> torch.Tensor:
        hit = self._known.get(key)
        if hit is None:
            hit = self._known[key] = make()[:, None] * self.rates  # expect: TL104
        return hit

    def angles(self, n, start):
        return self._recall(f"freqs:{n}", lambda: self._positions(n, start))


class KeyedByPlace(Spinner):
    """Length, offset, device and dtype are all part of the key."""

    def angles(self, n, start):
        key = (n, start, self.rates.device, self.rates.dtype)
        if key not in self._known:
            self._known[key] = self._positions(n, start)[:, None] * self.rates  # ok: TL104, TL102
        return self._known[key]


class RecomputedEachTime(Spinner):
    """The dict keeps Python numbers only."""

    def angles(self, n, start):
        self._known[start] = n  # ok: TL104, TL102
        return self._positions(n, start)[:, None] * self.rates


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 3, 4)
    for cls, right in ((KeyedByLength, False), (KeyedByPlace, True), (RecomputedEachTime, True)):
        used, fresh = cls(4), cls(4)
        used(x, start=0)
        assert torch.allclose(used(x, start=5), fresh(x, start=5)) is right, cls
        used.to("meta")
        try:
            ok = used(x.to("meta"), start=0).is_meta
        except RuntimeError:
            ok = False
        assert ok is right, cls
