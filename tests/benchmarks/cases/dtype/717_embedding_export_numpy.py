"""Embeddings leave torch for plotting and nearest-neighbour search: once still with a graph, once as bfloat16.

source: issues "Can't call numpy() on Tensor that requires grad" and "Got unsupported ScalarType BFloat16"
rules: [TL306]
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Encoder(nn.Module):
    def __init__(self, dim=6, out=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def scatter_points(encoder, batch, device):
    points = encoder(batch.to(device))
    points = points.cpu().numpy()  # expect: TL306
    return points[:, 0], points[:, 1]


@torch.no_grad()
def build_index(encoder, loader, device):
    rows = []
    for x, _ in loader:
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            z = encoder.net(x.to(device))
        rows.append(z.cpu().numpy())  # expect: TL306
    return np.concatenate(rows)


def scatter_points_fixed(encoder, batch, device):
    points = encoder(batch.to(device)).detach()
    points = points.cpu().numpy()  # ok: TL306
    return points[:, 0], points[:, 1]


@torch.no_grad()
def build_index_fixed(encoder, loader, device):
    rows, names = [], []
    for x, label in loader:
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            z = encoder.net(x.to(device))
        z = z.float().cpu()
        rows.append(z.numpy())  # ok: TL306
        names.append(label.numpy())  # ok: TL306
    return np.concatenate(rows), np.concatenate(names)


def nearest(encoder, queries, index: np.ndarray, device):
    with torch.inference_mode():
        q = encoder(queries.to(device)).to("cpu")
    return (q.numpy() @ index.T).argmax(axis=1)  # ok: TL306


def class_prior(labels: torch.Tensor):
    counts = torch.bincount(labels)
    return np.log(counts.numpy() / counts.sum().item())  # ok: TL306


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    encoder = Encoder().to(DEVICE_TYPE)
    x, y = torch.randn(4, 6), torch.tensor([0, 1, 1, 0])
    for broken, kind, said in (
        (lambda: scatter_points(encoder, x, DEVICE_TYPE), RuntimeError, "requires grad"),
        (lambda: build_index(encoder, [(x, y)], DEVICE_TYPE), TypeError, "BFloat16"),
    ):
        try:
            broken()
            raise AssertionError("numpy took it")
        except kind as err:
            assert said in str(err), err
    assert len(scatter_points_fixed(encoder, x, DEVICE_TYPE)[0]) == 4
    index, names = build_index_fixed(encoder, [(x, y)], DEVICE_TYPE)
    assert index.shape == (4, 3) and names.tolist() == [0, 1, 1, 0]
    assert nearest(encoder, x, index, DEVICE_TYPE).shape == (4,)
    assert np.allclose(class_prior(y), np.log(0.5))
