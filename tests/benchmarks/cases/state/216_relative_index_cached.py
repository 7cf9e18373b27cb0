"""Relative-position tensors behind functools caches: on the class, or wrapped around a bound method in the constructor.

source: huggingface/transformers#45412 and #45780 (lru_cache on methods), meta-pytorch/botorch#1650
rules: [TL112]
"""
import functools as ft

import torch
from torch import nn


class RelativeBase(nn.Module):
    def __init__(self, heads: int = 2, reach: int = 4):
        super().__init__()
        self.reach = reach
        self.table = nn.Parameter(torch.randn(2 * reach + 1, heads))

    def _gather(self, n: int) -> torch.Tensor:
        pos = torch.arange(n, device=self.table.device)
        rel = (pos[:, None] - pos).clamp(-self.reach, self.reach) + self.reach
        return self.table[rel].permute(2, 0, 1)

    def forward(self, scores):
        return scores + self.bias(scores.shape[-1])


class CachedOnClass(RelativeBase):
    @ft.cache  # expect: TL112
    def bias(self, n: int) -> torch.Tensor:
        with torch.no_grad():
            return self._gather(n)

    @ft.lru_cache(maxsize=None)  # ok: TL112
    def buckets(self, n: int) -> tuple[int, ...]:
        return tuple(min(d, self.reach) for d in range(n))


class CachedByWrapping(RelativeBase):
    """One cache per instance: no leak across instances, and yet the old values after a load or a move."""

    def __init__(self, heads: int = 2, reach: int = 4, keep: int = 8):
        super().__init__(heads, reach)
        self.bias = ft.lru_cache(maxsize=keep)(self._gather)  # expect: TL112


class Uncached(RelativeBase):
    @staticmethod
    @ft.lru_cache(maxsize=16)  # ok: TL112
    def index(n: int, reach: int, device: torch.device) -> torch.Tensor:
        pos = torch.arange(n, device=device)
        return (pos[:, None] - pos).clamp(-reach, reach) + reach

    def bias(self, n: int) -> torch.Tensor:
        return self.table[self.index(n, self.reach, self.table.device)].permute(2, 0, 1)

    @ft.cached_property
    def is_wide(self) -> bool:  # ok: TL112
        return bool(self.reach > 32)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.zeros(2, 3, 3)
    for cls, follows in ((CachedOnClass, False), (CachedByWrapping, False), (Uncached, True)):
        m, other = cls(), cls()
        m(x)
        m.load_state_dict(other.state_dict())
        assert torch.allclose(m(x), other(x)) is follows, cls
        m.to("meta")
        assert m.bias(3).is_meta is follows, cls
    assert CachedOnClass().buckets(6) == (0, 1, 2, 3, 4, 4) and not Uncached().is_wide
    assert CachedOnClass.bias.cache_info().currsize == 2, "the class keeps both instances"
