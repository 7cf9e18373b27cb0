"""Point features are moved to the last place and all points of a batch are joined for a shared layer; movedim copies nothing.

source: facebookresearch/SparseConvNet#220 (dense to sparse: view after a permutation), lppllppl920/EndoscopyDepthEstimation-Pytorch#13
rules: [TL205]
"""
import torch
from torch import nn


def points_last(x):
    return torch.movedim(x, 1, -1)


def rows_of(x):
    return x.view(-1, x.size(-1))  # expect: TL205


class SharedLayer(nn.Module):
    def __init__(self, c_in: int, c_out: int):
        super().__init__()
        self.fc, self.norm = nn.Linear(c_in, c_out), nn.BatchNorm1d(c_out)

    def forward(self, x):
        b, _, n = x.shape
        rows = rows_of(points_last(x))
        return self.norm(self.fc(rows)).view(b, n, -1).transpose(1, 2)


class SharedLayerMapped(nn.Module):
    """The linear layer comes first: what it returns lies in one piece."""

    def __init__(self, c_in: int, c_out: int):
        super().__init__()
        self.fc, self.norm = nn.Linear(c_in, c_out), nn.BatchNorm1d(c_out)

    def forward(self, x):
        b, _, n = x.shape
        y = self.fc(points_last(x))
        y = self.norm(y.view(b * n, -1))  # ok: TL205
        return y.view(b, n, -1).transpose(1, 2)


class SharedLayerSafe(SharedLayer):
    def forward(self, x):
        b, _, n = x.shape
        rows = points_last(x).reshape(b * n, -1)  # ok: TL205
        return self.norm(self.fc(rows)).view(b, n, -1).transpose(1, 2)


class Pooled(nn.Module):
    """The largest value over points: reduced memory is new memory."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        y = self.layer(x).amax(-1)
        return y.view(len(y), -1)  # ok: TL205


def occupied(dense):
    """Coordinates of a dense map: swapaxes of the first two dimensions, the last three are joined as they were."""
    flat = dense.swapaxes(0, 1)
    return flat.view(*flat.shape[:2], -1)  # ok: TL205


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 3, 5)
    for cls, works in ((SharedLayer, False), (SharedLayerMapped, True), (SharedLayerSafe, True)):
        try:
            assert Pooled(cls(3, 4))(x).shape == (2, 4)
            ok = True
        except RuntimeError as err:
            assert "view size is not compatible" in str(err), err
            ok = False
        assert ok is works, cls
    assert occupied(torch.randn(2, 3, 4, 4, 4)).shape == (3, 2, 64)
