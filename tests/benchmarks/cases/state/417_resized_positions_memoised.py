"""A vision transformer resizes its learned positions to the picture; the resizing is memoised per size in several ways.

source: dense-prediction code that caches interpolated position embeddings; kind of cornellius-gp/gpytorch#1311
rules: [TL112]
"""
from functools import cache, cached_property, lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Positions(nn.Module):
    def __init__(self, side: int = 3, dim: int = 4):
        super().__init__()
        self.side, self.dim = side, dim
        self.pos = nn.Parameter(torch.randn(1, dim, side, side))

    def resized(self, h: int, w: int) -> Tensor:
        return F.interpolate(self.pos, size=(h, w), mode="bilinear", align_corners=False)

    def forward(self, x):
        return x + self.resized(*x.shape[-2:])


class MemoPositions(Positions):
    @lru_cache(maxsize=8)  # expect: TL112
    def resized(self, h: int, w: int) -> Tensor:
        return super().resized(h, w)


class BorderPositions(Positions):
    """The learned part is fresh; a border ramp comes from a memoised helper method and keeps its first place."""

    @cache  # expect: TL112
    def _ramp(self, h: int, w: int) -> dict[str, Tensor]:
        p = self.pos
        return {"y": torch.linspace(0, 1, h, device=p.device, dtype=p.dtype)[:, None], "x": torch.linspace(0, 1, w).to(p)}

    def resized(self, h, w):
        r = self._ramp(h, w)
        return super().resized(h, w) * r["y"] * r["x"]


@lru_cache
def ramp_for(n: int, device: torch.device, dtype: torch.dtype) -> Tensor:
    return torch.linspace(0, 1, n, device=device, dtype=dtype)


class SharedRampPositions(Positions):
    """Numbers per instance, tensors per device and dtype."""

    @cached_property
    def cells(self) -> int:  # ok: TL112
        return self.side * self.side

    @lru_cache(maxsize=None)
    def ratio(self, h: int, w: int) -> tuple[float, float]:  # ok: TL112
        return h / self.side, w / self.side

    def resized(self, h, w):
        base = super().resized(h, w) * min(self.ratio(h, w)) / self.cells
        return base * ramp_for(w, base.device, base.dtype)  # ok: TL112


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.zeros(1, 4, 5, 6)
    m = MemoPositions()
    with torch.no_grad():
        m(x)
        m.pos.zero_()
        assert m(x).abs().sum() > 0, "the memoised positions are the old ones"
        m = SharedRampPositions()
        m(x)
        m.pos.zero_()
        assert m(x).abs().sum() == 0
    for cls, follows in ((MemoPositions, False), (BorderPositions, False), (SharedRampPositions, True)):
        m = cls()
        m(x)
        m.to("meta")
        try:
            ok = m(x.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is follows, cls
