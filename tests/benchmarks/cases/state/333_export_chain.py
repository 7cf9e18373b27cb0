"""Export of a quantile forecaster: eval() and the change of precision follow each other in one chain, in this order.

source: ultralytics/ultralytics#23780 (eval before half); export helpers that chain eval().to(...)
rules: [TL103, TL303]
"""
import copy

import torch
from torch import nn


class Spline(nn.Module):
    """Monotone knots: cumulative softplus of free parameters; fixed for a whole evaluation."""

    def __init__(self, knots: int = 5):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(knots))
        self._knots = None

    def knots(self):
        return nn.functional.softplus(self.raw).cumsum(0)

    def train(self, mode: bool = True):
        super().train(mode)
        self._knots = self.knots().detach() if not mode else None  # expect: TL103
        return self

    def forward(self, h):
        k = self.knots() if self._knots is None else self._knots
        return h @ k


class Forecaster(nn.Module):
    def __init__(self, width: int = 5):
        super().__init__()
        self.trunk = nn.Linear(3, width)
        self.head = Spline(width)

    def forward(self, x):
        return self.head(self.trunk(x))


class Linear(nn.Module):
    """Baseline without anything that eval() prepares."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.1), nn.Linear(4, 1))

    def forward(self, x):
        return self.net(x)


def export(model: Forecaster, kind: torch.dtype):
    return copy.deepcopy(model).eval().to(kind)  # expect: TL303


def export_in_order(model: Forecaster, kind: torch.dtype):
    return copy.deepcopy(model).to(kind).eval()  # ok: TL303


def export_baseline(kind: torch.dtype):
    net = Linear()
    net.eval()
    return net.to(kind)  # ok: TL303


def evaluate_then_export(model: Forecaster, x, kind: torch.dtype):
    model.eval()
    with torch.no_grad():
        score = float(model(x).mean())
    model.train()
    model.to(kind)  # ok: TL303
    return score, model.eval()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 3)
    try:
        export(Forecaster(), torch.bfloat16)(x.bfloat16())
        raise AssertionError("the knots stayed float32")
    except RuntimeError as exc:
        assert "dtype" in str(exc)
    assert export_in_order(Forecaster(), torch.bfloat16)(x.bfloat16()).dtype == torch.bfloat16
    assert export_baseline(torch.bfloat16)(x.bfloat16()).dtype == torch.bfloat16
    assert evaluate_then_export(Forecaster(), x, torch.bfloat16)[1](x.bfloat16()).dtype == torch.bfloat16
