"""A long-tail loss weighs its probabilities with accumulated class counts and counts the batch in the same call.

source: seesaw-type losses with accumulated counts; symptom of tamakoji/pytorch-syncbn#4 (version error in backward)
rules: [TL121]
"""
import torch
import torch.nn.functional as F
from torch import nn


class TailLoss(nn.Module):
    def __init__(self, classes: int = 4, scale: float = 2.0):
        super().__init__()
        self.classes = classes
        self.scale = nn.Parameter(torch.tensor(scale))
        self.register_buffer("seen", torch.ones(classes))

    def weigh(self, logits: torch.Tensor) -> torch.Tensor:
        return self.scale * logits * self.seen.rsqrt()

    def count(self, y: torch.Tensor) -> None:
        raise NotImplementedError

    def forward(self, logits, y):
        loss = F.cross_entropy(self.weigh(logits), y)
        self.count(y)
        return loss


class LateCount(TailLoss):
    def weigh(self, logits):
        return self.scale * logits * self.seen

    def count(self, y):
        self.seen.index_add_(0, y, torch.ones_like(y, dtype=self.seen.dtype))  # expect: TL121


class LateDecay(TailLoss):
    """Forgetting in two steps, the first of them under no_grad, which autograd's version counter does not care about."""

    def weigh(self, logits):
        share = self.seen
        return logits.mul(share) * self.scale

    def count(self, y):
        with torch.no_grad():
            self.seen *= 0.9  # expect: TL121
        self.seen = self.seen + torch.bincount(y, minlength=self.classes)


class EarlyCount(LateCount):
    """Counted first, read afterwards."""

    def forward(self, logits, y):
        self.seen.index_add_(0, y, torch.ones_like(y, dtype=self.seen.dtype))  # ok: TL121
        return F.cross_entropy(self.weigh(logits), y)


class RebindingCount(LateCount):
    def count(self, y):
        self.seen = self.seen + F.one_hot(y, self.classes).sum(0)  # ok: TL121


class CopiedRead(LateCount):
    """What forward multiplies with is a new tensor."""

    def weigh(self, logits):
        return self.scale * logits * self.seen.clone()

    def count(self, y):
        self.seen.index_add_(0, y, torch.ones_like(y, dtype=self.seen.dtype))  # ok: TL121


# ---- demonstration: not part of the graded code ----
def demonstrate():
    y = torch.tensor([0, 1, 1, 3])
    for cls, fine in ((LateCount, False), (LateDecay, False), (EarlyCount, True), (RebindingCount, True), (CopiedRead, True)):
        m, head = cls(), nn.Linear(3, 4)
        loss = m(head(torch.randn(4, 3)), y)
        try:
            loss.backward()
            ok = True
        except RuntimeError as exc:
            assert "modified by an inplace operation" in str(exc), exc
            ok = False
        assert ok is fine, cls
