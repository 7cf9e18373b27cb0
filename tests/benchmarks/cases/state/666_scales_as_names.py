"""A multi-scale module names its branches after numbers such as 0.5, keeps what registration returns, and declares a table without size.

source: "module name can't contain \\".\\"" reports; unit8co/darts#3052 (buffer declared as None and filled later)
rules: [TL107, TL115, TL120]
"""
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ScalesByNumber(nn.Module):
    def __init__(self, scales=(0.5, 1.0)):
        super().__init__()
        self.scales = scales
        self.branches = nn.ModuleDict({str(s): nn.Conv2d(1, 1, 1) for s in scales})  # expect: TL107

    def forward(self, x: Tensor) -> Tensor:
        return sum(F.adaptive_avg_pool2d(self.branches[str(s)](x), 1) for s in self.scales)


class ScalesByPercent(nn.Module):
    def __init__(self, scales=(0.5, 1.0)):
        super().__init__()
        self.scales = scales
        self.branches = nn.ModuleDict({f"s{int(100 * s)}": nn.Conv2d(1, 1, 1) for s in scales})  # ok: TL107
        self.gains = {str(s): 1.0 / s for s in scales}  # ok: TL107

    def forward(self, x: Tensor) -> Tensor:
        return sum(
            self.gains[str(s)] * F.adaptive_avg_pool2d(self.branches[f"s{int(100 * s)}"](x), 1) for s in self.scales
        )


class ShareByScale(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_parameter("share.0.5", nn.Parameter(torch.ones(1)))  # expect: TL107

    def forward(self, x):
        return x * getattr(self, "share.0.5")


class TentBase(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return F.conv2d(x, self.tent, padding=1)


def tent() -> Tensor:
    k = torch.tensor([0.25, 0.5, 0.25])
    return torch.outer(k, k)[None, None]


class ReturnedTent(TentBase):
    def __init__(self):
        super().__init__()
        self.tent = self.register_buffer("tent", tent(), persistent=False)  # expect: TL115


class RegisteredTent(TentBase):
    def __init__(self):
        super().__init__()
        self.register_buffer("tent", tent(), persistent=False)  # ok: TL115


class CalibratorBase(nn.Module):
    @torch.no_grad()
    def fit(self, x: Tensor) -> "CalibratorBase":
        self.spread = x.std(0)
        return self

    def forward(self, x):
        return x / self.spread


class Calibrator(CalibratorBase):
    def __init__(self):
        super().__init__()
        self.register_buffer("spread", None)  # expect: TL120


class SessionCalibrator(CalibratorBase):
    def __init__(self):
        super().__init__()
        self.register_buffer("spread", None, persistent=False)  # ok: TL120


class SizedCalibrator(CalibratorBase):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.register_buffer("spread", torch.ones(dim))  # ok: TL120


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for broken in (ScalesByNumber, ShareByScale):
        try:
            broken()
            raise AssertionError("a name with a dot was accepted")
        except KeyError as exc:
            assert "." in str(exc)
    x = torch.rand(1, 1, 4, 4)
    ScalesByPercent()(x), RegisteredTent()(x)
    assert ReturnedTent().tent is None
    rows = torch.rand(5, 3)
    for cls, works in ((Calibrator, False), (SessionCalibrator, True), (SizedCalibrator, True)):
        state = cls().fit(rows).state_dict()
        try:
            cls().load_state_dict(state)
            ok = True
        except RuntimeError as exc:
            assert "Unexpected key" in str(exc)
            ok = False
        assert ok is works, cls
