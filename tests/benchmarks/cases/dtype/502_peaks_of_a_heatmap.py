"""Peaks of a heatmap are found in the flattened map; the row of a peak is a true division by the width.

source: centre-point detectors ported to newer torch (integer division became true division); tinyvision/SOLIDER#12 kind
rules: [TL201]
"""
import torch
import torch.nn.functional as F
from torch import nn


def local_maxima(heat):
    return heat * (F.max_pool2d(heat, 3, stride=1, padding=1) == heat)


class Peaks:
    def __init__(self, count: int = 3):
        self.count = count

    def rows(self, flat, width):
        raise NotImplementedError

    def __call__(self, heat):
        b, _, h, w = heat.shape
        score, flat = local_maxima(heat).view(b, -1).topk(self.count)
        flat = flat % (h * w)
        return score, self.rows(flat, w), flat % w


class DividedPeaks(Peaks):
    def rows(self, flat, width):
        return torch.div(flat, width)  # expect: TL201


class TrueDividedPeaks(Peaks):
    """Rounds the quotient, which does not make an integer type of it."""

    def rows(self, flat, width):
        return (flat / width).floor()  # expect: TL201


class FlooredPeaks(Peaks):
    def rows(self, flat, width):
        return torch.div(flat, width, rounding_mode="floor")  # ok: TL201


class CastPeaks(Peaks):
    def rows(self, flat, width):
        return (flat / width).int()  # ok: TL201


class CentreHead(nn.Module):
    def __init__(self, peaks, dim: int = 4, classes: int = 1):
        super().__init__()
        self.peaks = peaks
        self.heat, self.size = nn.Conv2d(dim, classes, 1), nn.Conv2d(dim, 2, 1)

    def forward(self, feats):
        score, ys, xs = self.peaks(self.heat(feats).sigmoid())
        rows = torch.arange(feats.shape[0], device=feats.device).unsqueeze(1)
        size = self.size(feats).permute(0, 2, 3, 1)[rows, ys, xs]  # use: TL201
        centre = torch.stack([xs + 0.5, ys + 0.5], dim=-1)
        return torch.cat([centre - size / 2, centre + size / 2, score.unsqueeze(-1)], dim=-1)


def crop_mask(peaks, heat):
    """Boxes may be floating: the rows are only compared."""
    _, ys, _ = peaks(heat)
    grid = torch.arange(heat.shape[2], device=heat.device)
    return (grid.view(1, 1, -1) - ys.unsqueeze(-1)).abs() < 2  # ok: TL201


def demonstrate():
    torch.manual_seed(0)
    feats = torch.randn(2, 4, 5, 5)
    for cls, works in ((DividedPeaks, False), (TrueDividedPeaks, False), (FlooredPeaks, True), (CastPeaks, True)):
        try:
            assert CentreHead(cls())(feats).shape == (2, 3, 5)
            ok = True
        except IndexError as err:
            assert "tensors used as indices" in str(err), err
            ok = False
        assert ok is works, cls
        assert crop_mask(cls(), feats[:, :1]).dtype is torch.bool
