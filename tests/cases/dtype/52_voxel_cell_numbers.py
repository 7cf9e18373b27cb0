"""Point cloud voxels: floor() keeps the floating type, and the cell numbers go through a dict into index_add.

source: voxel poolers and spatial hashes ("index_add_(): Expected dtype int32/int64 for index"), ccpem/affinity-vae#222
rules: [TL201]
"""
import torch
from torch import nn


class Grid:
    def __init__(self, low, cell, shape):
        self.low, self.cell, self.shape = low, cell, shape

    def locate(self, xyz):
        ijk = torch.floor((xyz - self.low) / self.cell)  # expect: TL201
        inside = ((ijk >= 0) & (ijk < self.shape)).all(-1)
        return {"ijk": ijk, "inside": inside}

    def locate_exact(self, xyz):
        ijk = torch.floor((xyz - self.low) / self.cell).to(torch.int32)  # ok: TL201
        inside = ((ijk >= 0) & (ijk < self.shape)).all(-1)
        return {"ijk": ijk, "inside": inside}


def flatten_cells(ijk, side):
    return (ijk[:, 0] * side + ijk[:, 1]) * side + ijk[:, 2]


class VoxelPool(nn.Module):
    def __init__(self, dim, side=4):
        super().__init__()
        self.side, self.lift = side, nn.Linear(3, dim)
        self.grid = Grid(0.0, 0.25, side)

    def cells(self, xyz):
        return self.grid.locate(xyz)

    def forward(self, xyz):
        found = self.cells(xyz)
        keep = found["inside"]
        feats = self.lift(xyz[keep])  # ok: TL201
        rows = flatten_cells(found["ijk"][keep], self.side)
        canvas = feats.new_zeros(self.side**3, feats.shape[-1])
        return canvas.index_add(0, rows, feats)  # use: TL201


class VoxelPoolExact(VoxelPool):
    def cells(self, xyz):
        return self.grid.locate_exact(xyz)

    def occupancy(self, xyz):
        found = self.cells(xyz)
        rows = flatten_cells(found["ijk"], self.side)[found["inside"]]
        canvas = xyz.new_zeros(self.side**3)
        canvas[rows] = 1.0  # ok: TL201
        return canvas


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    xyz = torch.rand(9, 3)
    bad, good = VoxelPool(5), VoxelPoolExact(5)
    try:
        bad(xyz)
        raise AssertionError("floating cells were accepted")
    except (RuntimeError, IndexError) as err:
        assert "index" in str(err), err
    assert good(xyz).shape == (64, 5)
    assert good.occupancy(xyz).sum() > 0
