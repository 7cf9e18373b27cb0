"""An audio front end: the filterbank is made by a helper module, the resampling kernel by a closure, the window by a library call.

source: pytorch/audio#457, csteinmetz1/auraloss#41, gdalsanto/flamo#30
rules: [TL101]
"""
from __future__ import annotations

from typing import Callable

import torch
import torch.nn.functional as F
from torch import nn


class BankDesign:
    """Plain Python; it returns what it designs."""

    def __init__(self, bands: int, bins: int):
        self.bands, self.bins = bands, bins
        self.mid = torch.linspace(0, bins - 1, bands + 2)[1:-1]  # ok: TL101

    def __call__(self) -> torch.Tensor:
        pos = torch.arange(self.bins).float()
        return (1 - (pos[None] - self.mid[:, None]).abs() / (self.bins / self.bands)).clamp_min(0)


def lowpass(taps: int) -> Callable[[torch.Tensor], torch.Tensor]:
    kernel = torch.hann_window(taps, periodic=False)
    kernel = (kernel / kernel.sum())[None, None]

    def run(x):
        return F.conv1d(x[:, None], kernel, padding="same")[:, 0]

    return run


class FrontEnd(nn.Module):
    n_fft = 16

    def __init__(self, bands: int = 4, taps: int = 5):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(bands, 1))
        self.design(BankDesign(bands, self.n_fft // 2 + 1), taps)

    def design(self, bank: BankDesign, taps: int) -> None:
        raise NotImplementedError

    def smooth(self, x):
        return x

    def forward(self, x):
        x = self.smooth(x)
        frames = x.unfold(-1, self.n_fft, self.n_fft // 2)
        mag = (frames * self.window).abs().unflatten(-1, (-1, 2)).sum(-1)
        mag = F.pad(mag, (0, 1)).mT
        return (self.bank @ mag * self.gain).log1p()


class LooseFrontEnd(FrontEnd):
    def design(self, bank, taps):
        self.window, self.bank = torch.hamming_window(self.n_fft), bank()  # expect: TL101
        self.smooth = lowpass(taps)  # expect: TL101
        self.bands = bank.bands  # ok: TL101
        self.span = bank.mid[-1].item() - bank.mid[0].item()  # ok: TL101


class BufferFrontEnd(FrontEnd):
    def design(self, bank, taps):
        add = self.register_buffer
        add("window", torch.hamming_window(self.n_fft), False)  # ok: TL101
        add("bank", bank(), persistent=False)  # ok: TL101
        self.bank_shape = self.bank.shape  # ok: TL101


class ConvFrontEnd(BufferFrontEnd):
    """The smoothing kernel is the weight of a frozen layer."""

    def design(self, bank, taps):
        super().design(bank, taps)
        self.fir = nn.Conv1d(1, 1, taps, padding="same", bias=False).requires_grad_(False)
        self.fir.weight.data = torch.full((1, 1, taps), 1 / taps)  # ok: TL101

    def smooth(self, x):
        return self.fir(x[:, None])[:, 0]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 64)
    for cls, follows in ((LooseFrontEnd, False), (BufferFrontEnd, True), (ConvFrontEnd, True)):
        m = cls()
        assert m(x).shape[1] == 4
        m.double()
        try:
            ok = m(x.double()).dtype == torch.float64
        except RuntimeError as exc:
            assert "type" in str(exc), exc
            ok = False
        assert ok is follows, cls
        assert (m.window.dtype == torch.float64) is follows
    m = LooseFrontEnd().to("meta")
    assert m.bank.device.type == "cpu" and BufferFrontEnd().to("meta").bank.is_meta
