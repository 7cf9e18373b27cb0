"""Focal loss that accepts a number, a list or a tensor for alpha; every form ends in the same attribute.

source: focal-loss classes passed around between repositories (alpha as number or list), woven-by-toyota/l5kit#305 (weights stay on the CPU)
rules: [TL101]
"""
import numbers

import torch
import torch.nn.functional as F
from torch import nn


def to_alpha(alpha) -> torch.Tensor:
    if isinstance(alpha, numbers.Number):
        alpha = [alpha, 1 - alpha]
    return alpha if torch.is_tensor(alpha) else torch.tensor(alpha)


class Focal(nn.Module):
    def __init__(self, gamma: float = 2.0, alpha=None, mean: bool = True):
        super().__init__()
        self.gamma, self.mean = gamma, mean
        self.adopt(alpha)

    def adopt(self, alpha) -> None:
        self.alpha = None if alpha is None else to_alpha(alpha)  # expect: TL101

    def balance(self, logp: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return logp if self.alpha is None else logp * self.alpha.gather(0, target)

    def forward(self, logits, target):
        logp = F.log_softmax(logits, -1).gather(1, target[:, None])[:, 0]
        loss = -((1 - logp.exp()) ** self.gamma) * self.balance(logp, target)
        return loss.mean() if self.mean else loss.sum()


class FollowingFocal(Focal):
    """The tensor is brought to the logits at its only use."""

    def adopt(self, alpha):
        self.alpha = to_alpha(0.5 if alpha is None else alpha)  # ok: TL101

    def balance(self, logp, target):
        return logp * self.alpha.to(logp).gather(0, target)


class BufferedFocal(Focal):
    def adopt(self, alpha):
        if alpha is None:
            self.alpha = None
        else:
            self.register_buffer("alpha", to_alpha(alpha), persistent=False)  # ok: TL101


class ListFocal(Focal):
    def adopt(self, alpha):
        self.alpha = to_alpha(0.5 if alpha is None else alpha).tolist()  # ok: TL101

    def balance(self, logp, target):
        return logp * logp.new_tensor(self.alpha)[target]


class Criterion(nn.Module):
    def __init__(self, focal: type[Focal], **kw):
        super().__init__()
        self.aux = nn.Linear(2, 2)
        self.focal = focal(**kw)

    def forward(self, logits, target):
        return self.focal(self.aux(logits), target)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    logits, target = torch.randn(4, 2), torch.randint(0, 2, (4,))
    for cls in (Focal, FollowingFocal, BufferedFocal, ListFocal):
        loss = Criterion(cls, alpha=0.25)
        assert torch.isfinite(loss(logits, target))
        if cls is not ListFocal:
            try:
                ok = loss.to("meta")(logits.to("meta"), target.to("meta")).is_meta
            except RuntimeError:
                ok = False
            assert ok is (cls is not Focal), cls
    low = Criterion(Focal, alpha=[0.25, 0.75]).bfloat16()
    assert low(logits.bfloat16(), target).dtype == torch.float32
    low = Criterion(BufferedFocal, alpha=[0.25, 0.75]).bfloat16()
    assert low(logits.bfloat16(), target).dtype == torch.bfloat16
