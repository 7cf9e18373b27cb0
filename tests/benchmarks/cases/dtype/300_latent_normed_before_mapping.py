"""A mapping network normalises latents with 1e-8 inside the root; a previewer built from settings runs it in half and gets NaN.

source: StyleGAN style PixelNorm under half inference; pytorch/pytorch#32137 and kornia/kornia#3966 kind (eps rounds to zero)
rules: [TL302]
"""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class PreviewSettings:
    width: int = 8
    depth: int = 2
    precision: str = "fp16"
    extra: dict = field(default_factory=dict)


class UnitLength(nn.Module):
    def __init__(self, dim=1):
        super().__init__()
        self.dim = dim

    def forward(self, z):
        return z * torch.rsqrt(z.square().mean(self.dim, keepdim=True) + 1e-8)  # expect: TL302


class UnitLengthWide(UnitLength):
    """Same layer; the root is taken in single precision."""

    def forward(self, z):
        wide = z.float()
        power = wide.square().mean(self.dim, keepdim=True)
        return (wide * torch.rsqrt(power + 1e-8)).to(z.dtype)  # ok: TL302


class UnitLengthFloor(UnitLength):
    def forward(self, z):
        floor = torch.finfo(z.dtype).tiny
        return z * torch.rsqrt(z.square().mean(self.dim, keepdim=True) + floor)  # ok: TL302


class Mapping(nn.Module):
    first = UnitLength

    def __init__(self, width, depth):
        super().__init__()
        parts = [self.first()]
        for _ in range(depth):
            parts += [nn.Linear(width, width), nn.LeakyReLU(0.2)]
        self.net = nn.Sequential(*parts)

    def forward(self, z):
        return self.net(z)


class WideMapping(Mapping):
    first = UnitLengthWide


class FloorMapping(Mapping):
    first = UnitLengthFloor


class Previewer:
    def __init__(self, settings: PreviewSettings, kind=Mapping):
        self.mapping = kind(settings.width, settings.depth).eval()
        self.cast = settings.precision == "fp16"
        if self.cast:
            self.mapping.half()

    @torch.inference_mode()
    def styles(self, z):
        return self.mapping(z.half() if self.cast else z)


def demonstrate():
    torch.manual_seed(0)
    z = torch.randn(2, 8)
    z[1] = 0  # the "mean face" latent
    assert Previewer(PreviewSettings()).styles(z)[1].isnan().all()
    assert Previewer(PreviewSettings(precision="fp32")).styles(z).isfinite().all()
    for kind in (WideMapping, FloorMapping):
        assert Previewer(PreviewSettings(), kind).styles(z).isfinite().all()
