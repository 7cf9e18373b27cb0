"""A feature pyramid runs its lateral convolutions in full precision; the maps come as a list from the bf16 backbone.

source: pytorch/pytorch#42358, detectors whose neck is wrapped in autocast(enabled=False) ("Input type (BFloat16) and bias type (float)")
rules: [TL409]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def full():
    return torch.autocast(device_type=KIND, enabled=False)


class Pyramid(nn.Module):
    def __init__(self, widths=(4, 8), out=4):
        super().__init__()
        dims = (1, *widths)
        self.stages = nn.ModuleList(nn.Conv2d(i, o, 3, 2, 1) for i, o in zip(dims, dims[1:]))
        self.sides = nn.ModuleList(nn.Conv2d(w, out, 1) for w in widths)
        self.norm = nn.GroupNorm(2, out)

    def maps(self, x):
        found = []
        for stage in self.stages:
            x = stage(x).relu()
            found.append(x)
        return found

    def neck(self, found):
        with full():
            return [side(m) for side, m in zip(self.sides, found)]  # expect: TL409

    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            first, second = self.neck(self.maps(x))
            return first + F.interpolate(second, scale_factor=2)


class WidePyramid(Pyramid):
    def neck(self, found):
        with full():
            return [side(m) for side, m in zip(self.sides, map(torch.Tensor.float, found))]  # ok: TL409


class NormedPyramid(Pyramid):
    """Only sums and a norm in the island; both take bf16 and float32 together."""

    def neck(self, found):
        sides = [side(m) for side, m in zip(self.sides, found)]  # ok: TL409
        with full():
            return [self.norm(m) + m for m in sides]  # ok: TL409


class FirstPyramid(Pyramid):
    """The island gets the image itself, which no layer has touched."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 4, 3, 2, 1)

    def forward(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            with full():
                fine = self.stem(x)  # ok: TL409
            return fine + self.sides[0](self.maps(x)[0])


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(1, 1, 8, 8, device=KIND)
    try:
        Pyramid().to(KIND)(x)
        raise AssertionError("bf16 maps went through float32 layers")
    except RuntimeError as err:
        assert "type" in str(err), err
    for cls in (WidePyramid, NormedPyramid, FirstPyramid):
        assert cls().to(KIND)(x).shape == (1, 4, 4, 4), cls
