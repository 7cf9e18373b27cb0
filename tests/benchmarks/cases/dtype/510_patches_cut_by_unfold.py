"""Patches are cut with two unfolds and put in order by a permutation; the view that joins each patch spans separated dimensions.

source: patch extraction with Tensor.unfold (forum answers without .contiguous()); sergeywong/cp-vton#30 kind (view, fixed by reshape)
rules: [TL205]
"""
import torch
from torch import nn


def windows(x, p):
    return x.unfold(2, p, p).unfold(3, p, p)


class Patches(nn.Module):
    def __init__(self, p: int, channels: int, dim: int = 6):
        super().__init__()
        self.p, self.embed = p, nn.Linear(channels * p * p, dim)

    def cut(self, x):
        raise NotImplementedError

    def forward(self, x):
        return self.embed(self.cut(x))


class ViewedPatches(Patches):
    def cut(self, x):
        b, c = x.shape[:2]
        y = windows(x, self.p).permute(0, 2, 3, 1, 4, 5)
        return y.view(b, -1, c * self.p * self.p)  # expect: TL205


class ReshapedPatches(Patches):
    def cut(self, x):
        b, c = x.shape[:2]
        y = windows(x, self.p).permute(0, 2, 3, 1, 4, 5)
        return y.reshape(b, -1, c * self.p * self.p)  # ok: TL205


class ContiguousPatches(Patches):
    def cut(self, x):
        b, c = x.shape[:2]
        y = windows(x, self.p).permute(0, 2, 3, 1, 4, 5).contiguous()
        return y.view(b, -1, c * self.p * self.p)  # ok: TL205


class FlattenedPatches(Patches):
    """flatten copies where it has to."""

    def cut(self, x):
        y = windows(x, self.p).permute(0, 2, 3, 1, 4, 5)
        return y.flatten(3).flatten(1, 2)  # ok: TL205


class StackedPatches(Patches):
    """Splits the picture itself into a grid of patches, which a view can do."""

    def cut(self, x):
        b, c, h, w = x.shape
        y = x.view(b, c, h // self.p, self.p, w // self.p, self.p)  # ok: TL205
        y = y.permute(0, 2, 4, 1, 3, 5)
        return y.reshape(b, -1, c * self.p * self.p)  # ok: TL205


def grid_of(patches, rows):
    """Splits one dimension of a transposed tensor: a view can do that."""
    t = patches.transpose(1, 2)
    return t.view(*t.shape[:2], rows, -1)  # ok: TL205


def demonstrate():
    x = torch.randn(2, 3, 8, 8)
    for cls, works in (
        (ViewedPatches, False), (ReshapedPatches, True), (ContiguousPatches, True), (FlattenedPatches, True),
        (StackedPatches, True),
    ):
        try:
            out = cls(4, 3)(x)
            assert out.shape == (2, 4, 6)
            assert grid_of(out, 2).shape == (2, 6, 2, 2)
            ok = True
        except RuntimeError as err:
            assert "view size is not compatible" in str(err), err
            ok = False
        assert ok is works, cls
