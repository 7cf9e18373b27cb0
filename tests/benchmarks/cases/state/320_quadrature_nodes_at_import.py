"""Gauss-Legendre nodes and a default prior are made when the file is imported; an integrating layer reads them.

source: lpips-like constants at module level, neural integrators of small physics repositories; flashinfer-ai/flashinfer#2702
rules: [TL113]
"""
import numpy as np
import torch
from torch import nn

_x, _w = np.polynomial.legendre.leggauss(6)
NODES, WEIGHTS = torch.from_numpy(_x).float(), torch.from_numpy(_w).float()  # expect: TL113
POINTS = tuple(float(v) for v in _x)  # ok: TL113
AREA = float(WEIGHTS.sum())  # ok: TL113


def stretch(lo, hi):
    half = (hi - lo)[:, None] / 2
    return half * (NODES + 1) + lo[:, None], half * WEIGHTS


class Integral(nn.Module):
    def __init__(self, hidden: int = 4):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(1, hidden), nn.Softplus(), nn.Linear(hidden, 1))

    def rule(self, lo, hi):
        return stretch(lo, hi)

    def forward(self, lo, hi):
        at, w = self.rule(lo, hi)
        return (self.f(at[..., None]).squeeze(-1) * w).sum(-1) * (2 / AREA)


class BufferedIntegral(Integral):
    def __init__(self, hidden: int = 4):
        super().__init__(hidden)
        self.register_buffer("nodes", torch.tensor(POINTS), persistent=False)
        self.register_buffer("w", torch.tensor(_w, dtype=torch.float32), persistent=False)

    def rule(self, lo, hi):
        half = (hi - lo)[:, None] / 2
        return half * (self.nodes + 1) + lo[:, None], half * self.w


class Penalty(nn.Module):
    prior = torch.tensor([[0.5, 0.3, 0.2]])  # expect: TL113
    classes = 3  # ok: TL113
    order: torch.Tensor  # ok: TL113

    def __init__(self, strength: float = 1.0):
        super().__init__()
        self.strength = strength
        self.register_buffer("order", torch.arange(self.classes))

    def forward(self, logits):
        p = logits.softmax(-1).mean(0, keepdim=True)
        return self.strength * (p * (p / self.prior).log()).sum() + 0 * self.order.sum()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    lo, hi = torch.zeros(2), torch.ones(2)
    for cls, right in ((Integral, False), (BufferedIntegral, True)):
        net = cls()
        assert net(lo, hi).shape == (2,)
        try:
            ok = net.to("meta")(lo.to("meta"), hi.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is right, cls
    try:
        Penalty().to("meta")(torch.randn(4, 3).to("meta"))
        raise AssertionError("expected a device clash")
    except RuntimeError:
        pass
