"""A spectral loss takes its windows from a plain mixin that stores them on self; another mixin registers through self.

source: csteinmetz1/auraloss#41 (window not on the device of the input), kan-bayashi/ParallelWaveGAN (window registered since)
rules: [TL101]
"""
import torch
import torch.nn as nn


class FramingMixin:
    """Knows nothing of torch modules; is always combined with one."""

    def setup_frames(self, n_fft: int, hop: int, kind: str) -> None:
        self.n_fft, self.hop = n_fft, hop
        self.taper = getattr(torch, f"{kind}_window")(n_fft)  # expect: TL101
        self.energy = self.taper.pow(2).sum().item()  # ok: TL101

    def magnitude(self, x: torch.Tensor) -> torch.Tensor:
        z = torch.stft(x, self.n_fft, self.hop, window=self.taper, return_complex=True)
        return z.abs().clamp(min=1e-7) / self.energy**0.5


class RegisteringMixin(FramingMixin):
    def setup_frames(self, n_fft, hop, kind):
        self.n_fft, self.hop = n_fft, hop
        taper = getattr(torch, f"{kind}_window")(n_fft)
        self.register_buffer("taper", taper, persistent=False)  # ok: TL101
        self.energy = taper.pow(2).sum().item()  # ok: TL101


class _LogDistance(nn.Module):
    def __init__(self, n_fft: int = 16, hop: int = 4, kind: str = "hann", reduction: str = "mean"):
        super().__init__()
        self.reduce = {"mean": torch.mean, "sum": torch.sum}[reduction]
        self.setup_frames(n_fft, hop, kind)

    def forward(self, x, y):
        return self.reduce((self.magnitude(x).log() - self.magnitude(y).log()).abs())


class LooseSpectralLoss(FramingMixin, _LogDistance):
    pass


class SpectralLoss(RegisteringMixin, _LogDistance):
    pass


class Resolutions(nn.Module):
    def __init__(self, loss=SpectralLoss, sizes=(16, 32)):
        super().__init__()
        self.losses = nn.ModuleList(loss(n, n // 4) for n in sizes)

    def forward(self, x, y):
        return sum(f(x, y) for f in self.losses) / len(self.losses)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x, y = torch.randn(2, 64), torch.randn(2, 64)
    for cls, follows in ((LooseSpectralLoss, False), (SpectralLoss, True)):
        m = Resolutions(cls)
        assert torch.isfinite(m(x, y))
        m = m.to("meta")
        assert m.losses[0].taper.is_meta is follows
        try:
            ok = m(x.to("meta"), y.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is follows, cls
        assert (cls().double().taper.dtype == torch.float64) is follows
