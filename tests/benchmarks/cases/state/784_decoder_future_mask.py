"""Causal mask and ALiBi bias of a decoder are rebuilt when the text gets longer, not when the model moves or is cast.

source: the future-mask scheme that seq2seq decoders copy from each other; classes written from scratch
rules: [TL104]
"""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, dim: int = 8, heads: int = 2):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self._mask = None
        self._bias = None
        self._bias_len = 0

    def future_mask(self, x):
        return None

    def position_bias(self, x):
        return None

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.mT * (d // self.heads) ** -0.5
        for extra in (self.future_mask(x), self.position_bias(x)):
            if extra is not None:
                scores = scores + extra
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d))


def causal(n: int, x: torch.Tensor) -> torch.Tensor:
    return torch.full((n, n), float("-inf"), device=x.device, dtype=x.dtype).triu(1)


def alibi(n: int, heads: int, x: torch.Tensor) -> torch.Tensor:
    slopes = 2.0 ** -torch.arange(1, heads + 1, device=x.device, dtype=x.dtype)
    pos = torch.arange(n, device=x.device, dtype=x.dtype)
    return -slopes[:, None, None] * (pos[:, None] - pos[None, :]).abs()


class GrowingMaskAttention(SelfAttention):
    def future_mask(self, x):
        n = x.shape[1]
        if self._mask is None or self._mask.shape[0] < n:
            self._mask = causal(n, x)  # expect: TL104
        return self._mask[:n, :n]


class LengthKeyedAlibi(SelfAttention):
    def position_bias(self, x):
        n = x.shape[1]
        if n > self._bias_len:
            self._bias = alibi(n, self.heads, x)  # expect: TL104
            self._bias_len = n
        return self._bias[:, :n, :n]


class ConvertedMaskAttention(SelfAttention):
    """Short test, but what comes out is converted at the read."""

    def future_mask(self, x):
        n = x.shape[1]
        if self._mask is None or self._mask.shape[0] < n:
            self._mask = causal(n, x)  # ok: TL104, TL102
        return self._mask[:n, :n].to(x)


class FullyKeyedAlibi(SelfAttention):
    def position_bias(self, x):
        n = x.shape[1]
        if self._bias is None or self._bias.shape[-1] < n or self._bias.device != x.device or self._bias.dtype != x.dtype:
            self._bias = alibi(n, self.heads, x)  # ok: TL104, TL102
        return self._bias[:, :n, :n]


class UncachedAttention(SelfAttention):
    def future_mask(self, x):
        mask = causal(x.shape[1], x)  # ok: TL104
        return mask


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 5, 8)
    for cls, right in (
        (GrowingMaskAttention, False), (LengthKeyedAlibi, False),
        (ConvertedMaskAttention, True), (FullyKeyedAlibi, True), (UncachedAttention, True),
    ):
        layer = cls()
        with torch.no_grad():
            layer(x)
            layer.half()
            try:
                ok = layer(x.half()).dtype == torch.float16
            except RuntimeError:
                ok = False
            assert ok is right, cls
            layer = cls()
            layer(x)
            layer.to("meta")
            try:
                ok = layer(x.to("meta")).is_meta
            except RuntimeError:
                ok = False
            assert ok is right, cls
