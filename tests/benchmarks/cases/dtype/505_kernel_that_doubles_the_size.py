"""A fully convolutional head enlarges its map with a fixed bilinear kernel that is drawn in numpy, which draws doubles.

source: bilinear upsampling kernels of FCN re-implementations (np.ogrid, from_numpy); kuaikuaikim/dface#33 kind (Double against Float weight)
rules: [TL203]
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def triangle(size: int) -> np.ndarray:
    factor = (size + 1) // 2
    centre = factor - 1 if size % 2 == 1 else factor - 0.5
    grid = np.arange(size, dtype=np.float64)
    return 1 - np.abs(grid - centre) / factor


def plane(size: int) -> np.ndarray:
    line = triangle(size)
    return np.outer(line, line)


class Enlarge(nn.Module):
    def __init__(self, channels: int, size: int = 4):
        super().__init__()
        self.channels, self.size = channels, size
        self.score = nn.Conv2d(2, channels, 1)
        self.register_buffer("kernel", self.draw(), persistent=False)

    def draw(self) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, x):
        return F.conv_transpose2d(self.score(x), self.kernel, stride=2, padding=1, groups=self.channels)


class NumpyEnlarge(Enlarge):
    def draw(self):
        kernel = torch.from_numpy(plane(self.size))  # expect: TL203
        return kernel.expand(self.channels, 1, -1, -1).clone()


class NarrowEnlarge(Enlarge):
    def draw(self):
        kernel = torch.from_numpy(plane(self.size).astype(np.float32))  # ok: TL203
        return kernel.expand(self.channels, 1, -1, -1).clone()


class CastEnlarge(Enlarge):
    """Casts at the end of the chain."""

    def draw(self):
        kernel = torch.from_numpy(plane(self.size))  # ok: TL203
        return kernel[None, None].repeat(self.channels, 1, 1, 1).float()


class LearnedEnlarge(nn.Module):
    """The kernel is only the start of a learned one: copy_ converts."""

    def __init__(self, channels: int, size: int = 4):
        super().__init__()
        self.score = nn.Conv2d(2, channels, 1)
        self.up = nn.ConvTranspose2d(channels, channels, size, stride=2, padding=1, groups=channels, bias=False)
        with torch.no_grad():
            self.up.weight.copy_(torch.from_numpy(plane(size)))  # ok: TL203

    def forward(self, x):
        return self.up(self.score(x))


def demonstrate():
    x = torch.randn(1, 2, 3, 3)
    try:
        NumpyEnlarge(3)(x)
        raise AssertionError("a double kernel met a float32 map")
    except RuntimeError as err:
        assert "Double" in str(err) or "double" in str(err) or "dtype" in str(err), err
    for cls in (NarrowEnlarge, CastEnlarge, LearnedEnlarge):
        assert cls(3)(x).shape == (1, 3, 6, 6), cls
