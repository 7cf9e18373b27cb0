"""A wavelet transform keeps its analysis and synthesis filters as pairs of tensors; the losses on top move, the pairs do not.

source: kymatio/murenn#42 and wavelet layers of image-restoration code (filters in tuples), Lightning-AI/pytorch-lightning#2638
rules: [TL105]
"""
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

Bank = namedtuple("Bank", "low high")
HAAR = ((0.5**0.5, 0.5**0.5), (0.5**0.5, -(0.5**0.5)))


def as_kernels(taps):
    return [torch.tensor(t)[None, None] for t in taps]


class Analysis(nn.Module):
    def __init__(self, taps=HAAR):
        super().__init__()
        self.kernels = Bank(*as_kernels(taps))  # expect: TL105

    def pair(self):
        return self.kernels

    def forward(self, x):
        low, high = (F.conv1d(x, k, stride=2) for k in self.pair())
        return low, high


class BankedAnalysis(Analysis):
    def __init__(self, taps=HAAR):
        nn.Module.__init__(self)
        self.order = Bank._fields  # ok: TL105
        for name, kernel in zip(self.order, as_kernels(taps)):
            self.register_buffer(name, kernel, persistent=False)

    def pair(self):
        return [getattr(self, name) for name in self.order]


class TapsAnalysis(Analysis):
    """Numbers are kept, kernels are made where the signal lives."""

    def __init__(self, taps=HAAR):
        nn.Module.__init__(self)
        self.taps = [tuple(t) for t in taps]  # ok: TL105

    def forward(self, x):
        low, high = (F.conv1d(x, x.new_tensor(t)[None, None], stride=2) for t in self.taps)
        return low, high


class MultiLevelLoss(nn.Module):
    def __init__(self, transform=Analysis, levels: int = 2):
        super().__init__()
        self.transform = transform()
        self.levels = levels
        self.log_weight = nn.Parameter(torch.zeros(levels))
        self.seen: list[float] = []  # ok: TL105

    def forward(self, a, b):
        total = 0.0
        for w in self.log_weight.exp():
            a, da = self.transform(a)
            b, db = self.transform(b)
            total = total + w * (da - db).abs().mean()
        self.seen.append(float(total.detach()))
        return total


# ---- demonstration: not part of the graded code ----
def demonstrate():
    a, b = torch.randn(2, 1, 1, 16)
    for cls, right in ((Analysis, False), (BankedAnalysis, True), (TapsAnalysis, True)):
        loss = MultiLevelLoss(cls)
        assert torch.isfinite(loss(a, b))
        try:
            ok = loss.double()(a.double(), b.double()).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is right, cls
