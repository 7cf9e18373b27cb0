"""A learnable filterbank computes its kernels from the cut-off parameters in reset_parameters() and never again.

source: mravanelli/SincNet style front ends re-implemented, KhrulkovV/tt-pytorch#4 (derived tensor drifts)
rules: [TL106]
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class BandBank(nn.Module):
    def __init__(self, bands: int = 3, width: int = 9, rate: float = 100.0):
        super().__init__()
        self.low = nn.Parameter(torch.linspace(2.0, 20.0, bands))
        self.gap = nn.Parameter(torch.full((bands,), 8.0))
        n = (torch.arange(width) - width // 2) / rate
        self.register_buffer("n", n, persistent=False)
        self.register_buffer("taper", torch.hamming_window(width, periodic=False), persistent=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        pass

    def sinc(self, cut: torch.Tensor) -> torch.Tensor:
        return 2 * cut[:, None] * torch.sinc(2 * cut[:, None] * self.n)

    def kernels(self) -> torch.Tensor:
        return (self.sinc(self.low + self.gap.abs()) - self.sinc(self.low)) * self.taper

    def forward(self, wave):
        return F.conv1d(wave, self.bank()[:, None])


class FrozenAtBirth(BandBank):
    def reset_parameters(self):
        with torch.no_grad():
            self.low.add_(torch.rand_like(self.low))
            table = self.kernels()
        self.register_buffer("table", table)  # expect: TL106

    def bank(self):
        return self.table


class CentresAtBirth(BandBank):
    """The kernels are live, the centre frequencies that weight the bands are not."""

    def __init__(self, **kw):
        super().__init__(**kw)
        self.centre = (self.low + self.gap / 2).detach()  # expect: TL106

    def bank(self):
        return self.kernels() / (2 * math.pi * self.centre[:, None])


class LiveBank(BandBank):
    def bank(self):
        return self.kernels()


class Anchored(LiveBank):
    """Starts as a copy of the parameter and leads its own life: a slow average that update() writes."""

    def __init__(self, decay: float = 0.9, **kw):
        super().__init__(**kw)
        self.decay = decay
        self.register_buffer("slow_low", self.low.detach().clone())  # ok: TL106

    @torch.no_grad()
    def update(self) -> None:
        self.slow_low.lerp_(self.low, 1 - self.decay)

    def drift(self):
        return (self.low - self.slow_low).square().sum()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 1, 30)
    for cls, follows in ((FrozenAtBirth, False), (CentresAtBirth, False), (LiveBank, True), (Anchored, True)):
        m = cls()
        with torch.no_grad():
            before = m(x)
            m.low.add_(5.0)
            after = m(x)
        if cls is CentresAtBirth:
            assert not torch.allclose(m.centre, m.low + m.gap / 2)
        else:
            assert torch.allclose(before, after) is not follows, cls
    a = Anchored()
    with torch.no_grad():
        a.low.add_(1.0)
    assert a.drift() > 0
    a.update()
    assert not torch.equal(a.slow_low, a.low)
