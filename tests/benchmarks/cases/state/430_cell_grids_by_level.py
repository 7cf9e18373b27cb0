"""A one-stage detector keeps one cell grid and one scaled anchor map per level and renews them when the map size differs.

source: widely copied one-stage detection heads (grid list renewed by shape only); rebuilt from scratch
rules: [TL104]
"""
import torch
from torch import nn


class DetectBase(nn.Module):
    strides = (8, 16)

    def __init__(self, anchors=((1.0, 2.0), (3.0, 5.0)), width: int = 4):
        super().__init__()
        self.register_buffer("anchors", torch.tensor(anchors).view(2, 1, 2))
        self.heads = nn.ModuleList(nn.Conv2d(width, 4, 1) for _ in self.strides)
        self.grid = [None] * len(self.strides)  # ok: TL105
        self.wh = [None] * len(self.strides)  # ok: TL105

    def cells(self, ny: int, nx: int, like: torch.Tensor) -> torch.Tensor:
        y, x = torch.meshgrid(
            torch.arange(ny, device=like.device, dtype=like.dtype), torch.arange(nx, device=like.device, dtype=like.dtype), indexing="ij"
        )
        return torch.stack([x, y], -1)[None]

    def scaled(self, i: int) -> torch.Tensor:
        return (self.anchors[i] * self.strides[i]).view(1, 1, 1, 2)

    def maps(self, i: int, p: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        raise NotImplementedError

    def forward(self, feats):
        out = []
        for i, (f, head) in enumerate(zip(feats, self.heads)):
            p = head(f).permute(0, 2, 3, 1)
            grid, wh = self.maps(i, p)
            xy = (p[..., :2].sigmoid() * 2 - 0.5 + grid) * self.strides[i]
            out.append(torch.cat([xy, (p[..., 2:].sigmoid() * 2) ** 2 * wh], -1).flatten(1, 2))
        return torch.cat(out, 1)


class ShapeGuardDetect(DetectBase):
    def maps(self, i, p):
        ny, nx = p.shape[1:3]
        if self.grid[i] is None or self.grid[i].shape[1:3] != (ny, nx):
            self.grid[i], self.wh[i] = self.cells(ny, nx, p), self.scaled(i)  # expect: TL104
        return self.grid[i], self.wh[i]


class PlacedDetect(DetectBase):
    """The grid is constant apart from place, precision and size, all compared; what comes from the anchors is not kept."""

    def maps(self, i, p):
        ny, nx = p.shape[1:3]
        g = self.grid[i]
        if g is None or g.shape[1:3] != (ny, nx) or g.device != p.device or g.dtype != p.dtype:
            self.grid[i] = self.cells(ny, nx, p)  # ok: TL104, TL102
        return self.grid[i], self.scaled(i)


class ShapeRecordDetect(DetectBase):
    """Remembers the sizes it has seen, as numbers."""

    def maps(self, i, p):
        ny, nx = p.shape[1:3]
        if self.grid[i] != (ny, nx):
            self.grid[i] = (ny, nx)  # ok: TL104, TL102
        return self.cells(*self.grid[i], p), self.scaled(i)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    feats = [torch.randn(1, 4, 3, 3), torch.randn(1, 4, 2, 2)]
    for cls, right in ((ShapeGuardDetect, False), (PlacedDetect, True), (ShapeRecordDetect, True)):
        m = cls()
        m(feats)
        m.load_state_dict(cls(anchors=((7.0, 7.0), (9.0, 9.0))).state_dict())
        fresh = cls()
        fresh.load_state_dict(m.state_dict())
        assert torch.allclose(m(feats), fresh(feats)) is right, cls
        m.to("meta")
        try:
            ok = m([f.to("meta") for f in feats]).is_meta
        except RuntimeError:
            ok = False
        assert ok is right, cls
