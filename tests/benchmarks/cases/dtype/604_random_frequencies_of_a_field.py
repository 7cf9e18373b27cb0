"""A coordinate network multiplies its inputs with random frequencies drawn in numpy; the buffer keeps numpy's 64 bits.

source: reports "expected m1 and m2 to have the same dtype, but got: float != double" in Fourier-feature reimplementations
rules: [TL203]
"""
import math

import numpy as np
import torch
from torch import nn


class FourierFeatures(nn.Module):
    def __init__(self, coords=2, features=8, sigma=3.0):
        super().__init__()
        b = np.random.normal(0.0, sigma, size=(coords, features))
        self.register_buffer("B", torch.from_numpy(b))  # expect: TL203

    def forward(self, x):
        angle = 2 * math.pi * x @ self.B
        return torch.cat([angle.sin(), angle.cos()], dim=-1)


class FourierFeaturesFixed(FourierFeatures):
    def __init__(self, coords=2, features=8, sigma=3.0):
        super().__init__(coords, features, sigma)
        b = np.random.normal(0.0, sigma, size=(coords, features)).astype(np.float32)
        self.B = torch.from_numpy(b)  # ok: TL203


class FourierFeaturesAtUse(nn.Module):
    """Keeps the exact numbers and narrows them where they are used."""

    def __init__(self, coords=2, features=8, sigma=3.0):
        super().__init__()
        self.register_buffer("B", torch.from_numpy(np.random.normal(0.0, sigma, size=(coords, features))))  # ok: TL203

    def forward(self, x):
        angle = 2 * math.pi * x @ self.B.to(x.dtype)
        return torch.cat([angle.sin(), angle.cos()], dim=-1)


class FourierFeaturesDrawn(FourierFeaturesAtUse):
    def __init__(self, coords=2, features=8, sigma=3.0):
        super().__init__(coords, features, sigma)
        self.B = torch.tensor(np.random.randn(coords, features) * sigma, dtype=torch.float32)  # ok: TL203


def make_field(encoder, hidden=16):
    return nn.Sequential(encoder, nn.Linear(16, hidden), nn.ReLU(), nn.Linear(hidden, 3))


def demonstrate():
    x = torch.rand(5, 2)
    try:
        make_field(FourierFeatures())(x)
        raise AssertionError("float and double were multiplied")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    for cls in (FourierFeaturesFixed, FourierFeaturesAtUse, FourierFeaturesDrawn):
        assert make_field(cls())(x).dtype is torch.float32
