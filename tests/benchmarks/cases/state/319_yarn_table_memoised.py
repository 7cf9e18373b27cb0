"""Rotary and bias tables behind a memoising decorator that was prepared under another name at the top of the file.

source: NVIDIA/Megatron-LM#1649 and #2229 (lru_cache on a rotary embedding's forward leaks), huggingface/transformers#45922
rules: [TL112]
"""
import functools
from functools import lru_cache as memo

import torch
from torch import nn

remember = functools.lru_cache(maxsize=8)


class Yarn(nn.Module):
    def __init__(self, dim: int = 4, base: float = 10.0):
        super().__init__()
        self.register_buffer("rates", base ** (-torch.arange(0, dim, 2).float() / dim))

    @memo(maxsize=32)  # expect: TL112
    def forward(self, length: int, offset: int = 0) -> torch.Tensor:
        at = torch.arange(offset, offset + length, device=self.rates.device)
        return torch.outer(at.to(self.rates.dtype), self.rates).cos()


class BucketBias(nn.Module):
    def __init__(self, heads: int = 2, buckets: int = 5):
        super().__init__()
        self.table = nn.Embedding(buckets, heads)

    @memo()  # ok: TL112
    def _bucket(self, distance: int) -> int:
        return min(abs(distance), self.table.num_embeddings - 1)

    @remember  # expect: TL112
    def bias(self, length: int) -> torch.Tensor:
        ids = [[self._bucket(i - j) for j in range(length)] for i in range(length)]
        return self.table(torch.tensor(ids, device=self.table.weight.device)).permute(2, 0, 1)

    def forward(self, x):
        return x + self.bias(x.shape[-1])


@functools.cache
def bucket_ids(length: int, buckets: int, device: torch.device) -> torch.Tensor:  # ok: TL112
    at = torch.arange(length, device=device)
    return (at[:, None] - at).abs().clamp(max=buckets - 1)


class FreshBias(BucketBias):
    @staticmethod
    @memo(maxsize=None)
    def layout(length: int) -> tuple[int, ...]:  # ok: TL112
        return tuple(range(length))

    def bias(self, length):
        ids = bucket_ids(len(self.layout(length)), self.table.num_embeddings, self.table.weight.device)
        return self.table(ids).permute(2, 0, 1)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    import gc
    import weakref

    x = torch.zeros(1, 2, 3, 3)
    for cls, fresh in ((BucketBias, False), (FreshBias, True)):
        net = cls()
        net(x)
        with torch.no_grad():
            net.table.weight.fill_(7.0)
        assert bool((net(x) == 7).all()) is fresh, cls
    yarn = Yarn()
    yarn(4)
    yarn.double()
    assert yarn(4).dtype == torch.float32, "the table of before the conversion"
    gone = weakref.ref(yarn)
    del yarn
    gc.collect()
    assert gone() is not None, "the cache of the class keeps the instance"
