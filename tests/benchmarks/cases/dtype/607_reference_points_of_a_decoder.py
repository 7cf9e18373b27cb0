"""Deformable attention gets its reference points from a static method that draws the grid wherever tensors are made by default.

source: nagadomi/nunif#427 and mozilla/TTS#473 (grids made with meshgrid on the CPU), facebookresearch/sam3#173
rules: [TL204]
"""
import torch
from torch import nn


class DeformableEncoder(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.offsets = nn.Linear(dim, 2)

    @staticmethod
    def reference_points(sizes, ratios):
        points = []
        for h, w in sizes:
            ys = torch.linspace(0.5, h - 0.5, h)  # expect: TL204
            xs = torch.linspace(0.5, w - 0.5, w)  # expect: TL204
            gy, gx = torch.meshgrid(ys, xs, indexing="ij")
            gy = gy.reshape(-1)[None] / (ratios[:, None, 1] * h)
            gx = gx.reshape(-1)[None] / (ratios[:, None, 0] * w)
            points.append(torch.stack((gx, gy), -1))
        return torch.cat(points, 1)

    def forward(self, tokens, sizes, ratios):
        return self.reference_points(sizes, ratios) + self.offsets(tokens)


class DeformableEncoderFixed(DeformableEncoder):
    @staticmethod
    def reference_points(sizes, ratios):
        points = []
        for h, w in sizes:
            ys = torch.linspace(0.5, h - 0.5, h, dtype=ratios.dtype, device=ratios.device)  # ok: TL204
            xs = torch.linspace(0.5, w - 0.5, w).to(ratios)  # ok: TL204
            gy, gx = torch.meshgrid(ys, xs, indexing="ij")
            gy = gy.reshape(-1)[None] / (ratios[:, None, 1] * h)
            gx = gx.reshape(-1)[None] / (ratios[:, None, 0] * w)
            points.append(torch.stack((gx, gy), -1))
        return torch.cat(points, 1)


class DeformableEncoderPlain(nn.Module):
    """Full pictures only: the grid needs no ratios, and the only caller moves it."""

    def __init__(self, dim=8):
        super().__init__()
        self.offsets = nn.Linear(dim, 2)

    def grid(self, h, w):
        ys, xs = torch.arange(h) + 0.5, torch.arange(w) + 0.5  # ok: TL204
        gy, gx = torch.meshgrid(ys / h, xs / w, indexing="ij")
        return torch.stack((gx, gy), -1).reshape(1, -1, 2)

    def forward(self, tokens, sizes):
        grids = torch.cat([self.grid(h, w) for h, w in sizes], 1).to(tokens)
        return grids + self.offsets(tokens)


def demonstrate():
    sizes = [(2, 3), (1, 2)]
    x, r = torch.randn(2, 8, 8), torch.ones(2, 2)
    assert torch.equal(DeformableEncoder.reference_points(sizes, r), DeformableEncoderFixed.reference_points(sizes, r))
    x, r = x.to("meta"), r.to("meta")
    try:
        DeformableEncoder().to("meta")(x, sizes, r)
        raise AssertionError("CPU grid mixed with ratios elsewhere")
    except RuntimeError as err:
        assert "device" in str(err), err
    assert DeformableEncoderFixed().to("meta")(x, sizes, r).is_meta
    assert DeformableEncoderPlain().to("meta")(x, sizes).is_meta
