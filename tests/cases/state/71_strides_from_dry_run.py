"""Detection head whose strides and cell anchors come from a dry run in the constructor; one sibling moves them in _apply.

source: ultralytics/yolov5 (stride and anchor grid moved by _apply), zhiqwang/yolort#94 (device of the anchor grid)
rules: [TL101]
"""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class DetectSpec:
    width: int = 4
    sizes: tuple[tuple[int, ...], ...] = ((2, 3), (5, 8))


class Pyramid(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, stride=2, padding=1)
        self.deep = nn.Conv2d(width, width, 3, stride=2, padding=1)

    def forward(self, x) -> list[Tensor]:
        a = self.stem(x)
        return [a, self.deep(a)]


class Detector(nn.Module):
    def __init__(self, spec: DetectSpec):
        super().__init__()
        self.body = Pyramid(spec.width)
        self.outs = nn.ModuleList(nn.Conv2d(spec.width, 4, 1) for _ in spec.sizes)
        self.calibrate(spec)

    @torch.no_grad()
    def measure(self, side: int = 32) -> Tensor:
        return torch.tensor([side / f.shape[-1] for f in self.body(torch.zeros(1, 3, side, side))])

    def calibrate(self, spec: DetectSpec) -> None:
        self.strides = self.measure()  # expect: TL101
        self.priors = torch.tensor(spec.sizes).float() / self.strides[:, None]  # expect: TL101
        self.num_levels = len(self.strides)  # ok: TL101

    def decode(self, i: int, raw: Tensor) -> Tensor:
        return raw.sigmoid() * self.strides[i, None] + self.priors[i].repeat(2).view(1, -1, 1, 1)

    def forward(self, x):
        return [self.decode(i, o(f)) for i, (o, f) in enumerate(zip(self.outs, self.body(x)))]


class FollowingDetector(nn.Module):
    """Same two tensors, and the hook behind to(), half() and cuda() takes them along."""

    def __init__(self, spec: DetectSpec):
        super().__init__()
        self.body = Pyramid(spec.width)
        self.outs = nn.ModuleList(nn.Conv2d(spec.width, 4, 1) for _ in spec.sizes)
        side = 32
        with torch.no_grad():
            strides = [side / f.shape[-1] for f in self.body(torch.zeros(1, 3, side, side))]
        self.strides = torch.tensor(strides)  # ok: TL101
        self.priors = torch.tensor(spec.sizes).float() / self.strides[:, None]  # ok: TL101

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.strides, self.priors = map(fn, (self.strides, self.priors))
        return self

    def forward(self, x):
        raws = [o(f).sigmoid() for o, f in zip(self.outs, self.body(x))]
        shifts = self.priors.repeat(1, 2)[:, None, :, None, None]
        return [r * s + p for r, s, p in zip(raws, self.strides[:, None], shifts)]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.rand(1, 3, 32, 32)
    for cls, follows in ((Detector, False), (FollowingDetector, True)):
        m = cls(DetectSpec())
        assert m.strides.tolist() == [2.0, 4.0]
        m.half()
        assert (m.priors.dtype == torch.float16) is follows
        m = cls(DetectSpec()).to("meta")
        try:
            ok = all(o.is_meta for o in m(x.to("meta")))
        except RuntimeError:
            ok = False
        assert ok is follows, cls
