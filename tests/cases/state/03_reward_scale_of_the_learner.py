"""Value heads normalise returns with running moments; the moments decide the output and only one sibling saves all of them.

source: Unity-Technologies/ml-agents#4292, Lightning-AI/torchmetrics#3323, PopArt heads; facebookresearch/habitat-lab#570 (count lost)
rules: [TL122]
"""
from __future__ import annotations

import torch
from torch import nn


class Moments(nn.Module):
    """Parallel update of mean, second moment and count."""

    def __init__(self):
        super().__init__()
        self.calls = 0  # ok: TL122
        self.open()

    def open(self) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def see(self, x):
        self.calls += 1
        new = self.count + x.numel()
        gap = x.mean() - self.mean
        self.m2 = self.m2 + x.var(unbiased=False) * x.numel() + gap**2 * self.count * x.numel() / new
        self.mean = self.mean + gap * x.numel() / new
        self.count = new

    def scale(self):
        return (self.m2 / self.count).clamp_min(1e-4).sqrt()


class LooseMoments(Moments):
    def open(self):
        self.mean = torch.zeros(1)  # expect: TL122
        self.m2 = torch.zeros(1)  # expect: TL122
        self.count = 1e-4  # expect: TL122


class MixedMoments(Moments):
    """Mean and spread are saved, the count is a Python number: the scale after a resume is far too large."""

    def open(self):
        for name in ("mean", "m2"):
            self.register_buffer(name, torch.zeros(1))  # ok: TL122
        self.count = 1e-4  # expect: TL122


class SavedMoments(Moments):
    def open(self):
        for name, start in {"mean": 0.0, "m2": 0.0, "count": 1e-4}.items():
            self.register_buffer(name, torch.full((1,), start))  # ok: TL122


class ValueHead(nn.Module):
    def __init__(self, moments: Moments, dim: int = 3):
        super().__init__()
        self.moments = moments
        self.lin = nn.Linear(dim, 1)
        self.last_value = None  # ok: TL122

    def forward(self, x, returns=None):
        if self.training and returns is not None:
            self.moments.see(returns)
        out = self.lin(x) * self.moments.scale() + self.moments.mean
        self.last_value = float(out.mean())
        return out


def heads() -> list[ValueHead]:
    return [ValueHead(m) for m in (LooseMoments(), MixedMoments(), SavedMoments())]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(5, 3)
    for cls, faithful in ((LooseMoments, False), (MixedMoments, False), (SavedMoments, True)):
        run, resumed = ValueHead(cls()), ValueHead(cls())
        for _ in range(4):
            run(x, torch.randn(20) * 7 + 3)
        resumed.load_state_dict(run.state_dict())
        assert torch.allclose(run.eval()(x), resumed.eval()(x), atol=1e-4) is faithful, cls
    assert len(heads()) == 3
