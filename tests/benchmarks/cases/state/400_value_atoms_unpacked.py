"""A distributional critic unpacks its atoms and spacing from one helper; siblings register them or keep numbers only.

source: categorical value heads of public reinforcement-learning code (support kept as a plain tensor); rebuilt from scratch
rules: [TL101]
"""
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class ValueRange(NamedTuple):
    low: float = -2.0
    high: float = 2.0
    count: int = 5


def split_range(r: ValueRange):
    points = torch.linspace(r.low, r.high, r.count)
    return points, (r.high - r.low) / (r.count - 1)


class CategoricalCritic(nn.Module):
    def __init__(self, obs: int = 3, acts: int = 2, span: ValueRange = ValueRange()):
        super().__init__()
        self.span, self.acts = span, acts
        self.body = nn.Linear(obs, acts * span.count)
        self._lay_out(span)

    def _lay_out(self, span: ValueRange) -> None:
        self.z, self.dz = split_range(span)  # expect: TL101

    def dist(self, s: torch.Tensor) -> torch.Tensor:
        return self.body(s).unflatten(-1, (self.acts, self.span.count)).softmax(-1)

    def forward(self, s):
        return (self.dist(s) * self.z).sum(-1)

    def slot_of(self, ret: torch.Tensor) -> torch.Tensor:
        return ((ret - self.span.low) / self.dz).clamp(0, self.span.count - 1)


class SavedCritic(CategoricalCritic):
    def _lay_out(self, span):
        points, self.dz = split_range(span)  # ok: TL101
        self.register_buffer("z", points, persistent=False)


class NumbersCritic(CategoricalCritic):
    """What stays on the object is a Python list and a number; the tensor is made beside the input."""

    def _lay_out(self, span):
        points, self.dz = split_range(span)  # ok: TL101
        self.z = points.tolist()  # ok: TL101, TL105

    def forward(self, s):
        p = self.dist(s)
        return (p * p.new_tensor(self.z)).sum(-1)


class SymmetricCritic(SavedCritic):
    """The name is a buffer since the base constructor; writing to it again keeps it one."""

    def __init__(self, obs: int = 3, acts: int = 2):
        super().__init__(obs, acts)
        half, _ = split_range(ValueRange(0.0, 2.0, 3))
        self.z = torch.cat([-half.flip(0), half[1:]])  # ok: TL101


def critic_loss(net: CategoricalCritic, s: torch.Tensor, a: torch.Tensor, ret: torch.Tensor) -> torch.Tensor:
    p = net.dist(s)[torch.arange(len(a), device=a.device), a]
    return F.nll_loss(p.clamp_min(1e-6).log(), net.slot_of(ret).round().long())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    s = torch.randn(4, 3)
    for cls, follows in ((CategoricalCritic, False), (SavedCritic, True), (NumbersCritic, True), (SymmetricCritic, True)):
        assert critic_loss(cls(), s, torch.tensor([0, 1, 0, 1]), torch.randn(4)).isfinite()
        m = cls().half()
        assert (m(s.half()).dtype == torch.float16) is follows, cls
        try:
            ok = cls().to("meta")(s.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is follows, cls
