"""Cosine bases are shared by all instances through setdefault(); the key leaves out where and in which precision they live.

source: jpeg-like frequency layers of image compression code; sniklaus/pytorch-pwc style tables keyed by size, huggingface/transformers#45708
rules: [TL104]
"""
import math
from typing import ClassVar, Dict, Tuple

import torch
from torch import nn


def dct_matrix(n: int, **kw) -> torch.Tensor:
    k = torch.arange(n, **kw)
    table = torch.cos(math.pi * (k[None, :] + 0.5) * k[:, None] / n) * math.sqrt(2.0 / n)
    table[0] /= math.sqrt(2.0)
    return table


class FrequencyGate(nn.Module):
    bases: ClassVar[Dict[str, torch.Tensor]] = {}

    def __init__(self, channels: int, ortho: bool = True):
        super().__init__()
        self.mix = nn.Parameter(torch.ones(channels, 1, 1))
        self.ortho = ortho

    def basis(self, x: torch.Tensor) -> torch.Tensor:
        n = x.shape[-1]
        return self.bases.setdefault(f"dct{n}", dct_matrix(n, device=x.device, dtype=x.dtype))  # expect: TL104

    def forward(self, x):
        m = self.basis(x)
        y = m @ x @ m.mT
        return m.mT @ (y * self.mix) @ m


class KeyedFrequencyGate(FrequencyGate):
    tables: ClassVar[Dict[Tuple, torch.Tensor]] = {}

    def basis(self, x):
        key = (x.shape[-1], x.device, x.dtype)
        found = self.tables.get(key)
        if found is None:
            found = self.tables.setdefault(key, dct_matrix(x.shape[-1], device=x.device, dtype=x.dtype))  # ok: TL104, TL102
        return found


class SizeOnlyGate(FrequencyGate):
    """Keyed by size alone, which is enough: what is kept are plain numbers."""

    rows: ClassVar[Dict[int, list]] = {}

    def basis(self, x):
        n = x.shape[-1]
        values = self.rows.setdefault(n, dct_matrix(n).tolist())  # ok: TL104
        return x.new_tensor(values)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 2, 4, 4)
    for cls, right in ((FrequencyGate, False), (KeyedFrequencyGate, True), (SizeOnlyGate, True)):
        first = cls(2)
        assert torch.allclose(first(x), x, atol=1e-5)
        try:
            ok = cls(2).double()(x.double()).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is right, cls
        assert cls(2).basis(x.to("meta")).is_meta is right, cls
