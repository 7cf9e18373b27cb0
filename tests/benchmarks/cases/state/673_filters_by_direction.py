"""Steerable filters: kernels lie in a dict by direction, a window is frozen into a lambda, grids stand on the class.

source: pytorch/pytorch#29807 (a list of buffers does not move), pytorch/audio#457
rules: [TL101, TL105, TL113]
"""
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def kernel(angle: float) -> Tensor:
    y, x = torch.meshgrid(torch.arange(-1.0, 2), torch.arange(-1.0, 2), indexing="ij")
    return (x * math.cos(angle) + y * math.sin(angle))[None, None]


ANGLES = {"across": 0.0, "along": math.pi / 2}


class SteerableDict(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernels = {name: kernel(a) for name, a in ANGLES.items()}  # expect: TL105

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([F.conv2d(x, k, padding=1) for k in self.kernels.values()], 1)


class SteerableBuffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = list(ANGLES)  # ok: TL105
        for name, a in ANGLES.items():
            self.register_buffer(f"kernel_{name}", kernel(a), persistent=False)  # ok: TL101

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([F.conv2d(x, getattr(self, f"kernel_{n}"), padding=1) for n in self.names], 1)


class TaperedBlur(nn.Module):
    def __init__(self, width: int = 3):
        super().__init__()
        taper = torch.hann_window(width + 2)[1:-1]
        k = torch.outer(taper, taper)[None, None]
        self.blur = lambda x: F.conv2d(x, k / k.sum(), padding=width // 2)  # expect: TL101

    def forward(self, x: Tensor) -> Tensor:
        return x - self.blur(x)


class TaperedBlurFixed(nn.Module):
    def __init__(self, width: int = 3):
        super().__init__()
        taper = torch.hann_window(width + 2)[1:-1]
        self.register_buffer("k", torch.outer(taper, taper)[None, None], persistent=False)  # ok: TL101
        self.blur = lambda x: F.conv2d(x, self.k / self.k.sum(), padding=width // 2)  # ok: TL101

    def forward(self, x: Tensor) -> Tensor:
        return x - self.blur(x)


class Luma(nn.Module):
    weights = torch.tensor([0.299, 0.587, 0.114])  # expect: TL113

    def forward(self, rgb: Tensor) -> Tensor:
        return (rgb * self.weights.view(1, 3, 1, 1)).sum(1, keepdim=True)


class LumaNumbers(nn.Module):
    weights = (0.299, 0.587, 0.114)  # ok: TL113

    def forward(self, rgb: Tensor) -> Tensor:
        return (rgb * rgb.new_tensor(self.weights).view(1, 3, 1, 1)).sum(1, keepdim=True)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    grey, rgb = torch.rand(1, 1, 5, 5), torch.rand(1, 3, 5, 5)
    for cls, x, moves in (
        (SteerableDict, grey, False), (SteerableBuffers, grey, True),
        (TaperedBlur, grey, False), (TaperedBlurFixed, grey, True),
        (Luma, rgb, False), (LumaNumbers, rgb, True),
    ):
        m = cls()
        m(x)
        try:
            ok = m.double()(x.double()).dtype is torch.float64
            m.to("meta")
            out = m(x.double().to("meta"))
            ok = ok and out.is_meta and cls is not Luma
        except RuntimeError:
            ok = False
        assert ok is moves, cls
