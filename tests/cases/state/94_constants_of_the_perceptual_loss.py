"""Constants built at import or class level are reached by a module through a function, a class attribute and a default argument.

source: lpips-style normalisation constants, richzhang/PerceptualSimilarity (ScalingLayer as buffers), kornia kernels
rules: [TL113]
"""
import torch
import torch.nn.functional as F
from torch import nn

SHIFT = torch.tensor([-0.03, -0.088, -0.188]).view(1, 3, 1, 1)  # expect: TL113
WEIGHTS = (0.1, 0.2, 0.7)  # ok: TL113
SOBEL = ((1.0, 0.0, -1.0), (2.0, 0.0, -2.0), (1.0, 0.0, -1.0))  # ok: TL113
PROBE = torch.rand(1, 3, 8, 8)  # ok: TL113
EPS = torch.finfo(torch.float16).tiny  # ok: TL113


def centred(img: torch.Tensor) -> torch.Tensor:
    return img - SHIFT


class EdgeTerm(nn.Module):
    kernel = torch.tensor(SOBEL)[None, None]  # expect: TL113
    order = 1  # ok: TL113

    def forward(self, img):
        grey = img.mean(1, keepdim=True)
        return F.conv2d(grey, self.kernel, padding=1)


class BufferedEdgeTerm(nn.Module):
    kernel: torch.Tensor  # ok: TL113

    def __init__(self):
        super().__init__()
        self.register_buffer("kernel", torch.tensor(SOBEL)[None, None], persistent=False)

    def forward(self, img):
        return F.conv2d(img.mean(1, keepdim=True), self.kernel, padding=1)


class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, a, b):
        return F.l1_loss(self.conv(centred(a)), self.conv(centred(b)))


class NumberPerceptual(Perceptual):
    def forward(self, a, b):
        w = a.new_tensor(WEIGHTS).view(1, 3, 1, 1)
        return F.l1_loss(self.conv(a * w), self.conv(b * w)).clamp(min=EPS)


class Report:
    """Not a module."""

    palette = torch.eye(3)  # ok: TL113

    def colours(self, n: int):
        return self.palette[:n]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = PROBE.half()
    for make, follows in ((EdgeTerm, False), (BufferedEdgeTerm, True), (Perceptual, False), (NumberPerceptual, True)):
        m = make().half()
        try:
            ok = (m(x) if make in (EdgeTerm, BufferedEdgeTerm) else m(x, x)).dtype == torch.float16
        except RuntimeError as exc:
            assert "type" in str(exc), exc
            ok = False
        assert ok is follows, make
    try:
        Perceptual().to("meta")(PROBE.to("meta"), PROBE.to("meta"))
        raise AssertionError("expected a device clash")
    except RuntimeError:
        pass
    assert Report().colours(2).shape == (2, 3)
