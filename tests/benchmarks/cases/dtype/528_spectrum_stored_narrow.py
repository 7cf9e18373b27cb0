"""Power spectra are stored as half inside a bf16 region: their range is that of bf16, half ends at 65504.

source: Parskatt/RoMa#2 kind (hard-coded half beside bf16); audio front ends that "save memory" under autocast
rules: [TL401]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Spectra(nn.Module):
    def __init__(self, size: int = 8, bands: int = 3):
        super().__init__()
        self.size = size
        self.body, self.head = nn.Linear(size, size), nn.Linear(size, bands)


class HalfSpectra(Spectra):
    @torch.autocast(KIND, dtype=torch.bfloat16)
    def forward(self, wave):
        frames = wave.unfold(-1, self.size, self.size)
        power = (self.body(frames) * 300.0).square()
        stored = power.half()  # expect: TL401
        return stored.float().log1p()  # ok: TL401


class StackedSpectra(Spectra):
    """Joins the narrow part with the layer's own output."""

    @torch.autocast(KIND, dtype=torch.bfloat16)
    def forward(self, wave):
        frames = wave.unfold(-1, self.size, self.size)
        h = self.body(frames)
        tone = torch.sin(frames).to(torch.float16)  # expect: TL401
        return torch.cat([h, tone], dim=-1)


class FollowingSpectra(Spectra):
    @torch.autocast(KIND, dtype=torch.bfloat16)
    def forward(self, wave):
        frames = wave.unfold(-1, self.size, self.size)
        h = self.body(frames)
        tone = torch.sin(frames).to(h.dtype)  # ok: TL401
        return torch.cat([h, tone], dim=-1)


class LogSpectra(Spectra):
    """Stores logarithms, computed wide; half is chosen after the region."""

    @torch.autocast(KIND, dtype=torch.bfloat16)
    def measure(self, wave):
        frames = wave.unfold(-1, self.size, self.size)
        power = (self.body(frames) * 300.0).float().square()  # ok: TL401
        return power.log1p()

    def forward(self, wave):
        return self.measure(wave).half()  # ok: TL401


class IndexSpectra(Spectra):
    """Narrowing whole numbers is no matter of autocast."""

    @torch.autocast(KIND, dtype=torch.bfloat16)
    def forward(self, wave):
        frames = wave.unfold(-1, self.size, self.size)
        loud = frames.abs().argmax(-1).short()  # ok: TL401
        return self.head(self.body(frames)).float() + loud.unsqueeze(-1).float()  # ok: TL401


def demonstrate():
    torch.manual_seed(0)
    wave = 5 * torch.randn(2, 16, device=KIND)
    assert HalfSpectra().to(KIND)(wave).isinf().any()
    try:
        StackedSpectra().to(KIND)(wave)
        raise AssertionError("bf16 and half were joined")
    except RuntimeError as err:
        assert "autocast::prioritize" in str(err), err
    assert FollowingSpectra().to(KIND)(wave).dtype is torch.bfloat16
    for cls in (LogSpectra, IndexSpectra):
        assert cls().to(KIND)(wave).isfinite().all(), cls
