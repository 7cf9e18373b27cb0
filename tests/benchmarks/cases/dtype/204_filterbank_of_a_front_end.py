"""A mel front end designs its triangular filters in numpy and registers them; the product with the float32 spectrogram raises.

source: speech front ends that port librosa code ("expected m1 and m2 to have the same dtype, but got: float != double")
rules: [TL203]
"""
import numpy as np
import torch
from torch import nn


def hz(mel):
    return 700.0 * (10.0 ** (mel / 2595.0) - 1.0)


def triangles(bands, bins, rate):
    centre = hz(np.linspace(0.0, 2595.0 * np.log10(1 + rate / 1400.0), bands + 2))
    grid = np.linspace(0.0, rate / 2, bins)
    up = (grid[None] - centre[:-2, None]) / np.diff(centre)[:-1, None]
    down = (centre[2:, None] - grid[None]) / np.diff(centre)[1:, None]
    return np.maximum(0.0, np.minimum(up, down))


class FrontEnd(nn.Module):
    def __init__(self, bands=8, width=64, rate=8000):
        super().__init__()
        self.width = width
        self.register_buffer("window", torch.hann_window(width))
        self.register_buffer("bank", self.design(bands, width // 2 + 1, rate))

    def design(self, *spec):
        return torch.from_numpy(triangles(*spec))  # expect: TL203

    def power(self, wave):
        spec = torch.stft(wave, self.width, window=self.window, return_complex=True)
        return spec.abs().square()

    def forward(self, wave):
        return torch.log(torch.matmul(self.bank, self.power(wave)) + 1e-6)


class FrontEndSingle(FrontEnd):
    def design(self, *spec):
        return torch.from_numpy(triangles(*spec).astype("float32"))  # ok: TL203


class FrontEndLate(FrontEnd):
    """Keeps the design in double and follows the activations at the product."""

    def design(self, *spec):
        return torch.from_numpy(triangles(*spec))  # ok: TL203

    def forward(self, wave):
        power = self.power(wave)
        return torch.log(self.bank.to(power.dtype) @ power + 1e-6)


def demonstrate():
    wave = torch.randn(1, 256)
    try:
        FrontEnd()(wave)
        raise AssertionError("double filters met a float32 spectrogram")
    except RuntimeError as err:
        assert "dtype" in str(err) or "scalar type" in str(err), err
    for cls in (FrontEndSingle, FrontEndLate):
        assert cls()(wave).dtype is torch.float32
