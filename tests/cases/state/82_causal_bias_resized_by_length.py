"""A causal bias that is rebuilt when the length differs, in a base class; the children add what the test forgot.

source: pytorch/examples word language model (mask rebuilt by size), facebookresearch/xformers#655
rules: [TL104]
"""
import torch
from torch import nn


def upper(n: int, window: int | None, like: torch.Tensor) -> torch.Tensor:
    m = torch.full((n, n), float("-inf"), device=like.device, dtype=like.dtype).triu(1)
    if window is not None:
        m = m + torch.full_like(m, float("-inf")).tril(-window)
    return m


class Decoder(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.qk = nn.Linear(dim, 2 * dim)
        self.window: int | None = None
        self._bias = None

    def bias_for(self, x):
        raise NotImplementedError

    def forward(self, x):
        q, k = self.qk(x).chunk(2, -1)
        s = q @ k.mT / q.shape[-1] ** 0.5 + self.bias_for(x)
        return s.softmax(-1) @ x


class LengthDecoder(Decoder):
    def bias_for(self, x):
        n = x.shape[-2]
        if self._bias is None or len(self._bias) != n:
            self._bias = upper(n, None, x)  # expect: TL104
        return self._bias


class DeviceDecoder(Decoder):
    """Length and device are right; the sliding window, an option that callers change, and the dtype are not in the test."""

    def bias_for(self, x):
        n = x.size(-2)
        held = self._bias
        if held is None or held.size(0) != n or held.device != x.device:
            held = upper(n, self.window, x)
            self._bias = held  # expect: TL104
        return held


class SameEverythingDecoder(Decoder):
    _made_for = None

    def bias_for(self, x):
        tag = x.size(-2), self.window, x.device, x.dtype
        if self._made_for != tag:
            self._bias = upper(tag[0], self.window, x)  # ok: TL104, TL102
            self._made_for = tag
        return self._bias


class StatelessDecoder(Decoder):
    def bias_for(self, x):
        return upper(x.shape[-2], self.window, x)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(1, 5, 4)
    for cls, window_ok, dtype_ok in (
        (LengthDecoder, None, False), (DeviceDecoder, False, False), (SameEverythingDecoder, True, True), (StatelessDecoder, True, True),
    ):
        m = cls()
        wide = m(x)
        if window_ok is not None:
            m.window = 1
            assert (not torch.allclose(m(x), wide)) is window_ok, cls
        m = cls()
        m(x)
        m.half()
        try:
            ok = m.bias_for(x.half()).dtype == torch.float16 and m(x.half()).dtype == torch.float16
        except RuntimeError:
            ok = False
        assert ok is dtype_ok, cls
    m = LengthDecoder()
    m(x)
    try:
        m.to("meta")(x.to("meta"))
        raise AssertionError("expected a device clash")
    except RuntimeError:
        pass
