"""A decoder picks the narrower of two dtypes for its key/value cache with min(); dtypes have no order.

source: serving code that resolves the cache type from a name and the model; own construction
rules: [TL206]
"""
from dataclasses import dataclass

import torch
from torch import nn

NAMES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}


@dataclass
class CacheConfig:
    dtype: str = "fp16"
    heads: int = 2
    slots: int = 4


class Decoder(nn.Module):
    def __init__(self, cfg: CacheConfig, dim: int = 4):
        super().__init__()
        self.cfg = cfg
        self.kv = nn.Linear(dim, 2 * dim)

    def cache_dtype(self) -> torch.dtype:
        return min(NAMES[self.cfg.dtype], self.kv.weight.dtype)  # expect: TL206

    def allocate(self, batch: int) -> torch.Tensor:
        dtype = self.cache_dtype()
        return torch.zeros(2, batch, self.cfg.slots, self.kv.in_features, dtype=dtype, device=self.kv.weight.device)


class AssertingDecoder(Decoder):
    """Checks the choice instead of making it."""

    def cache_dtype(self):
        wanted = NAMES[self.cfg.dtype]
        if wanted > self.kv.weight.dtype:  # expect: TL206
            raise ValueError(f"cache would be wider than the model: {wanted}")
        return wanted


class BytesDecoder(Decoder):
    def cache_dtype(self):
        return min(NAMES[self.cfg.dtype], self.kv.weight.dtype, key=lambda d: d.itemsize)  # ok: TL206


class BitsDecoder(Decoder):
    def cache_dtype(self):
        wanted, own = NAMES[self.cfg.dtype], self.kv.weight.dtype
        if torch.finfo(wanted).bits > torch.finfo(own).bits:  # ok: TL206
            return own
        return wanted


class ListedDecoder(Decoder):
    """Membership and equality are defined for dtypes."""

    def cache_dtype(self):
        wanted, own = NAMES[self.cfg.dtype], self.kv.weight.dtype
        if own in (torch.float16, torch.bfloat16) and wanted == torch.float32:  # ok: TL206
            return own
        return wanted


def common(tensors):
    """The widest type, as arithmetic would choose it."""
    out = tensors[0].dtype
    for t in tensors[1:]:
        out = torch.promote_types(out, t.dtype)
    return max((out, tensors[0].dtype), key=lambda d: torch.finfo(d).bits)  # ok: TL206


def demonstrate():
    for cls, works in (
        (Decoder, False), (AssertingDecoder, False), (BytesDecoder, True), (BitsDecoder, True), (ListedDecoder, True),
    ):
        try:
            assert cls(CacheConfig()).allocate(1).dtype is torch.float16
            ok = True
        except TypeError as err:
            assert "not supported between instances of 'torch.dtype'" in str(err), err
            ok = False
        assert ok is works, cls
    assert common([torch.zeros(1), torch.zeros(1).half()]) is torch.float32
