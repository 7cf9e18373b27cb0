"""Window attention: one helper cuts the map into windows, another glues them; the view after the permutation cannot merge.

source: sergeywong/cp-vton#30, facebookresearch/SparseConvNet#220 (view on permuted maps); Swin blocks without contiguous()
rules: [TL205]
"""
import torch
from torch import nn


def cut(grid, side):
    b, h, w, c = grid.shape
    tiles = grid.view(b, h // side, side, w // side, side, c)
    return tiles.permute(0, 1, 3, 2, 4, 5)


def to_rows(tiles, side):
    return tiles.view(-1, side * side, tiles.size(-1))  # expect: TL205


def to_rows_safe(tiles, side):
    return tiles.contiguous().view(-1, side * side, tiles.size(-1))  # ok: TL205


def glue(rows, side, h, w):
    tiles = rows.view(-1, h // side, w // side, side, side, rows.size(-1))  # ok: TL205
    return tiles.transpose(2, 3).reshape(-1, h, w, rows.size(-1))  # ok: TL205


class WindowBlock(nn.Module):
    flatten = staticmethod(to_rows)

    def __init__(self, dim=4, side=2):
        super().__init__()
        self.side, self.mix = side, nn.MultiheadAttention(dim, 1, batch_first=True)

    def forward(self, grid):
        rows = self.flatten(cut(grid, self.side), self.side)
        out, _ = self.mix(rows, rows, rows, need_weights=False)
        return glue(out, self.side, *grid.shape[1:3])


class SafeWindowBlock(WindowBlock):
    flatten = staticmethod(to_rows_safe)


class StripeBlock(WindowBlock):
    """The two merged dimensions stay neighbours in memory whatever is moved around them."""

    def forward(self, grid):
        moved = grid.permute(3, 0, 1, 2)
        return moved.view(grid.size(3), grid.size(0), -1).sum(0)  # ok: TL205


def demonstrate():
    grid = torch.randn(2, 4, 6, 4)
    try:
        WindowBlock()(grid)
        raise AssertionError("view merged what is apart")
    except RuntimeError as err:
        assert "view size is not compatible" in str(err)
    assert SafeWindowBlock()(grid).shape == grid.shape
    assert StripeBlock()(grid).shape == (2, 24)
