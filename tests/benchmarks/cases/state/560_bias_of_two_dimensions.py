"""A satellite encoder builds its two-dimensional distance bias in the constructor, and the limits of its kernels in a list: neither is a buffer.

source: torchgeo/torchgeo#3232 (attn_bias was no buffer), K-H-Ismail/Dilated-Convolution-with-Learnable-Spacings-PyTorch#8 (IDX and lim stay on the CPU)
rules: [TL101, TL105]
"""
import math

import torch
from torch import nn


def slopes(heads: int) -> torch.Tensor:
    return torch.tensor([2 ** (-8 * (i + 1) / heads) for i in range(heads)])


def distance_bias(heads: int, side: int) -> torch.Tensor:
    place = torch.cartesian_prod(torch.arange(side), torch.arange(side)).float()
    return -torch.cdist(place, place) * slopes(heads).view(-1, 1, 1)


class Encoder(nn.Module):
    def __init__(self, dim: int = 4, heads: int = 2, side: int = 3):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.setup_bias(heads, side)

    def setup_bias(self, heads: int, side: int) -> None:
        raise NotImplementedError

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.mT / math.sqrt(d // self.heads) + self.attn_bias
        return (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d)


class PlainEncoder(Encoder):
    def setup_bias(self, heads, side):
        self.attn_bias = distance_bias(heads, side)  # expect: TL101


class BufferEncoder(Encoder):
    def setup_bias(self, heads, side):
        self.register_buffer("attn_bias", distance_bias(heads, side), persistent=False)


class FollowingEncoder(Encoder):
    """Stays plain, and is moved where modules are moved."""

    def setup_bias(self, heads, side):
        self.attn_bias = distance_bias(heads, side)  # ok: TL101

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.attn_bias = fn(self.attn_bias)
        return self


class SpacedKernel(nn.Module):
    """A kernel whose taps lie at learned places within the limits of each axis."""

    def __init__(self, taps: int = 3, limits: tuple[int, ...] = (5, 5)):
        super().__init__()
        self.places = nn.Parameter(torch.zeros(len(limits), taps))
        self.make_axes(limits)

    def make_axes(self, limits):
        self.axes = [torch.arange(n) - n // 2 for n in limits]  # expect: TL105

    def forward(self):
        near = [(1 - (p.unsqueeze(1) - a).abs()).relu() for p, a in zip(self.places, self.axes)]
        return near[0].unsqueeze(-1) * near[1].unsqueeze(-2)


class BufferedSpacedKernel(SpacedKernel):
    def make_axes(self, limits):
        self.count = len(limits)
        for i, n in enumerate(limits):
            self.register_buffer(f"axis{i}", torch.arange(n) - n // 2, persistent=False)

    @property
    def axes(self):
        return [getattr(self, f"axis{i}") for i in range(self.count)]


class SizesSpacedKernel(SpacedKernel):
    """Keeps numbers only and makes the axes where the places are."""

    def make_axes(self, limits):
        self.limits = list(limits)  # ok: TL105

    @property
    def axes(self):
        return [torch.arange(n, device=self.places.device) - n // 2 for n in self.limits]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 9, 4)
    for cls, follows in ((PlainEncoder, False), (BufferEncoder, True), (FollowingEncoder, True)):
        assert cls()(x).shape == x.shape
        m = cls().to("meta")
        try:
            ok = m(x.to("meta")).is_meta
        except RuntimeError as exc:
            assert "device" in str(exc), exc
            ok = False
        assert ok is follows, cls
    for cls, follows in ((SpacedKernel, False), (BufferedSpacedKernel, True), (SizesSpacedKernel, True)):
        assert cls()().shape == (3, 5, 5)
        try:
            ok = cls().to("meta")().is_meta
        except RuntimeError as exc:
            assert "device" in str(exc), exc
            ok = False
        assert ok is follows, cls
