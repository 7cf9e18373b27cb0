"""Sampling offsets and colour matrices live on the class or at module level and are read by methods of subclasses.

source: deformable sampling and colour-space layers of research code; richzhang/PerceptualSimilarity (constants as buffers)
rules: [TL113]
"""
import numpy as np
import torch
import torch.nn as nn

YUV = np.array([[0.299, 0.587, 0.114], [-0.147, -0.289, 0.436], [0.615, -0.515, -0.1]], dtype=np.float32)
to_yuv = torch.from_numpy(YUV)  # expect: TL113
WHITE = (0.95047, 1.0, 1.08883)  # ok: TL113
PREVIEW = torch.zeros(1, 3, 2, 2)  # ok: TL113


def convert(image: torch.Tensor, matrix: torch.Tensor) -> torch.Tensor:
    return torch.einsum("ij,bjhw->bihw", matrix, image)


class ColourLoss(nn.Module):
    def __init__(self, norm: int = 1):
        super().__init__()
        self.norm = norm

    def forward(self, a, b):
        return (convert(a, to_yuv) - convert(b, to_yuv)).norm(self.norm)


class BufferedColourLoss(ColourLoss):
    def __init__(self, norm: int = 1):
        super().__init__(norm)
        self.register_buffer("matrix", torch.tensor(YUV), persistent=False)

    def forward(self, a, b):
        return (convert(a, self.matrix) - convert(b, self.matrix)).norm(self.norm)


class WhiteBalance(nn.Module):
    def forward(self, xyz):
        return xyz / xyz.new_tensor(WHITE).view(1, 3, 1, 1)


class Neighbourhood(nn.Module):
    offsets = torch.tensor([[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])  # expect: TL113
    names = ("left", "self", "right")  # ok: TL113

    def __init__(self, dim: int = 2):
        super().__init__()
        self.mix = nn.Linear(dim * len(self.names), 1)


class PointSampler(Neighbourhood):
    def forward(self, points):
        around = points[:, None] + type(self).offsets
        return self.mix(around.flatten(1))


class OwnOffsets(nn.Module):
    """The same values, registered from a class-level tuple of numbers."""

    deltas = ((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0))  # ok: TL113

    def __init__(self, dim: int = 2):
        super().__init__()
        self.register_buffer("offsets", torch.tensor(self.deltas), persistent=False)
        self.mix = nn.Linear(dim * len(self.deltas), 1)

    def forward(self, points):
        around = points[:, None] + self.offsets
        return self.mix(around.flatten(1))


def preview() -> float:
    return float(BufferedColourLoss()(PREVIEW, PREVIEW + 1))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    a, b = torch.rand(1, 3, 2, 2), torch.rand(1, 3, 2, 2)
    bad, good = ColourLoss(), BufferedColourLoss()
    assert torch.allclose(bad(a, b), good(a, b)) and preview() > 0
    assert torch.isfinite(good.double()(a.double(), b.double()))
    try:
        bad.double()(a.double(), b.double())
        raise AssertionError("einsum of two dtypes")
    except RuntimeError:
        pass
    assert WhiteBalance().double()(a.double()).dtype == torch.float64
    p = torch.randn(4, 2)
    s = PointSampler()
    s(p)
    try:
        s.to("meta")(p.to("meta"))
        raise AssertionError("expected two devices")
    except RuntimeError:
        pass
    assert OwnOffsets().to("meta")(p.to("meta")).is_meta
    assert Neighbourhood.offsets.device.type == "cpu"
