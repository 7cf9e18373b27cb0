"""State-space layers rebuild their convolution kernel only when the length changes, although it is made of parameters.

source: state-spaces code families (kernel cache by length), pytorch/audio style window caches as the harmless neighbour
rules: [TL104]
"""
from __future__ import annotations

import torch
from torch import nn


class LongConv(nn.Module):
    def __init__(self, modes: int = 3):
        super().__init__()
        self.log_decay = nn.Parameter(torch.rand(modes))
        self.mix = nn.Parameter(torch.randn(modes))
        self._n, self._k = 0, None

    def build(self, n: int) -> torch.Tensor:
        t = torch.arange(n, device=self.mix.device, dtype=self.mix.dtype)
        return self.mix @ torch.exp(-self.log_decay.exp()[:, None] * t)

    def kernel(self, n: int) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, x):
        n = x.shape[-1]
        spec = torch.fft.rfft(x, 2 * n) * torch.fft.rfft(self.kernel(n), 2 * n)
        return torch.fft.irfft(spec, 2 * n)[..., :n]


class LengthKeyedConv(LongConv):
    def kernel(self, n):
        if n > self._n:
            self._n = n
            self._k = self.build(n).detach()  # expect: TL104
        return self._k[:n]


class EarlyReturnConv(LongConv):
    """The same test, spelled as an early return from a helper."""

    def _held(self, n):
        return self._k if self._k is not None and self._n == n else None

    def kernel(self, n):
        held = self._held(n)
        if held is not None:
            return held
        fresh = self.build(n)
        self._n, self._k = n, fresh.detach()  # expect: TL104
        return fresh


class AlwaysConv(LongConv):
    def kernel(self, n):
        k = self.build(n)
        self._n = n  # ok: TL104
        return k


class TaperConv(LongConv):
    """What is kept depends on length, device and dtype only, and all three are in the test."""

    _taper = None

    def kernel(self, n):
        t = self._taper
        if t is None or (t.numel(), t.device, t.dtype) != (n, self.mix.device, self.mix.dtype):
            t = torch.linspace(1, 0, n, device=self.mix.device, dtype=self.mix.dtype)
            self._taper = t  # ok: TL104
        return self.build(n) * t


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 8)
    for cls, right in ((LengthKeyedConv, False), (EarlyReturnConv, False), (AlwaysConv, True), (TaperConv, True)):
        m = cls()
        m(x)
        other = cls()
        m.load_state_dict(other.state_dict())
        assert torch.allclose(m(x), other(x), atol=1e-5) is right, cls
        m.double()
        assert (m.kernel(8).dtype == torch.float64) is right, cls
        m = cls()
        opt = torch.optim.SGD(m.parameters(), lr=0.5)
        m(x)
        out = m(x).square().mean()
        if right:
            out.backward()
            opt.step()
        else:
            assert not out.requires_grad, "from the second call on nothing trains"
