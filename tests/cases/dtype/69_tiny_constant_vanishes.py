"""A module-level TINY guards two divisions; after model.half() it is zero and an empty row gives NaN.

source: pytorch/pytorch#32137 (normalize's eps in half), L2Norm layers of detectors
rules: [TL302]
"""
import torch
from torch import nn

TINY = 1e-10
SAFE = 1e-6


class RowNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))

    def length(self, x):
        return x.pow(2).sum(-1, keepdim=True).sqrt() + TINY  # expect: TL302

    def forward(self, x):
        return x / self.length(x) * self.gain


class RowNormSafe(RowNorm):
    def length(self, x):
        return x.pow(2).sum(-1, keepdim=True).sqrt() + SAFE  # ok: TL302


class RowNormWide(RowNorm):
    """The small number meets float32 values only."""

    def length(self, x):
        wide = x.float()
        return wide.pow(2).sum(-1, keepdim=True).sqrt().add(TINY)  # ok: TL302

    def forward(self, x):
        return (x.float() / self.length(x)).type_as(x) * self.gain


class RowNormByDtype(RowNorm):
    def length(self, x):
        return x.pow(2).sum(-1, keepdim=True).sqrt().clamp(min=torch.finfo(x.dtype).tiny)  # ok: TL302


class Detector(nn.Module):
    norm_class = RowNorm

    def __init__(self, dim=4):
        super().__init__()
        self.norm, self.out = self.norm_class(dim), nn.Linear(dim, 2)

    def forward(self, x):
        return self.out(self.norm(x))


def deploy(norm_class=RowNorm):
    kind = type("Deployed", (Detector,), {"norm_class": norm_class})
    net = kind().eval()
    return net.half()


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.zeros(2, 4).half()
    x[1] = 1.0
    assert deploy()(x)[0].isnan().all() and deploy()(x)[1].isfinite().all()
    assert Detector()(x.float()).isfinite().all()
    for cls in (RowNormSafe, RowNormWide, RowNormByDtype):
        out = deploy(cls)(x)
        assert out.dtype is torch.float16 and out.isfinite().all(), cls
