"""Front ends prepare their tables at the first call, remembered by a flag (or a counter) that says nothing about where it was.

source: wenet-e2e/west#120, unit8co/darts#3052 (prepared once, used everywhere); rebuilt from scratch
rules: [TL104]
"""
import torch
from torch import nn


def lag_windows(bands: int, taps: int, like: torch.Tensor) -> torch.Tensor:
    t = torch.arange(taps, device=like.device, dtype=like.dtype)
    width = torch.arange(1, bands + 1, device=like.device, dtype=like.dtype)
    return torch.exp(-((t - taps / 2) ** 2) / (2 * width[:, None] ** 2))


class FrontEnd(nn.Module):
    bands = 2

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(self.bands, 1)

    def bank(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, x):
        return self.mix(x @ self.bank(x).mT)


class FlaggedFrontEnd(FrontEnd):
    prepared = False

    def _prepare(self, x: torch.Tensor) -> None:
        self.table = lag_windows(self.bands, x.shape[-1], x)  # expect: TL104
        self.prepared = True

    def bank(self, x):
        if not self.prepared:
            self._prepare(x)
        return self.table


class CountedFrontEnd(FrontEnd):
    """Prepared in the first two calls, because the first one is a dry run."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def bank(self, x):
        self.calls += 1
        if self.calls <= 2:
            self.table = lag_windows(self.bands, x.shape[-1], x)  # expect: TL104
        return self.table[:, : x.shape[-1]]


class RepairedFrontEnd(FrontEnd):
    """Kept by length; place and precision are repaired at each read."""

    def __init__(self):
        super().__init__()
        self.table = None
        self.taps = -1

    def bank(self, x):
        if x.shape[-1] != self.taps:
            self.taps = x.shape[-1]
            self.table = lag_windows(self.bands, self.taps, x)  # ok: TL104, TL102
        return self.table.to(device=x.device, dtype=x.dtype)


class ForgetfulFrontEnd(FrontEnd):
    """The flag is a record of what was compared, and the table is made for the call."""

    def __init__(self):
        super().__init__()
        self.warned = False

    def bank(self, x):
        if not self.warned:
            self.first_length = x.shape[-1]  # ok: TL104, TL102
            self.warned = True
        return lag_windows(self.bands, x.shape[-1], x)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 6)
    for cls, right in ((FlaggedFrontEnd, False), (CountedFrontEnd, False), (RepairedFrontEnd, True), (ForgetfulFrontEnd, True)):
        m = cls()
        m(x), m(x)
        for change in (lambda: m(torch.randn(1, 9)).shape == (1, 1), lambda: m.double()(x.double()).dtype == torch.float64):
            try:
                ok = change()
            except RuntimeError:
                ok = False
            assert ok is right, cls
