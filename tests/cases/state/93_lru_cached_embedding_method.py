"""Memoising decorators on methods that return tensors: one cache per class keeps instances and old weights alive.

source: huggingface/transformers#45412 / #45708, meta-pytorch/botorch#1650
rules: [TL112]
"""
import functools
import gc
import weakref
from functools import lru_cache as remember

import torch
from torch import nn


class PositionBase(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.freq = nn.Parameter(torch.rand(dim))

    def table(self, n: int) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, x):
        return x + self.table(x.shape[1])


class ClassCachedPosition(PositionBase):
    @remember(maxsize=8)  # expect: TL112
    def table(self, n):
        pos = torch.arange(n, dtype=self.freq.dtype, device=self.freq.device)
        return torch.sin(pos[:, None] * self.freq.detach())


class OncePosition(PositionBase):
    @functools.cached_property  # expect: TL112
    def phases(self):
        return self.freq.detach().cumsum(0)

    def table(self, n):
        pos = torch.arange(n, dtype=self.freq.dtype, device=self.freq.device)
        return torch.sin(pos[:, None] + self.phases)


@functools.lru_cache(maxsize=None)  # ok: TL112
def shared_ramp(n: int, device: torch.device, dtype: torch.dtype) -> torch.Tensor:  # ok: TL112
    return torch.arange(n, device=device, dtype=dtype)[:, None]


class SharedRampPosition(PositionBase):
    @functools.cached_property
    def width(self) -> int:  # ok: TL112
        return int(self.freq.numel())

    @staticmethod
    @functools.cache
    def buckets(n: int) -> tuple[int, ...]:  # ok: TL112
        return tuple(min(i, 3) for i in range(n))

    def table(self, n):
        assert self.width == self.dim and len(self.buckets(n)) == n
        return torch.sin(shared_ramp(n, self.freq.device, self.freq.dtype) * self.freq)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.zeros(1, 3, 4)
    for cls, right in ((ClassCachedPosition, False), (OncePosition, False), (SharedRampPosition, True)):
        m = cls()
        first = m(x).detach()
        with torch.no_grad():
            m.freq.mul_(0.5)
        assert (not torch.equal(m(x), first)) is right, cls
        m.double()
        held = m.phases if cls is OncePosition else m.table(3)
        assert (held.dtype == torch.float64) is right, cls
    for cls, freed in ((ClassCachedPosition, False), (SharedRampPosition, True)):
        m = cls()
        m(x)
        ref = weakref.ref(m)
        del m
        gc.collect()
        assert (ref() is None) is freed, cls
