"""Position biases are joined to one table in the constructor, and a loss for noisy labels corrects its own confusion table in forward.

source: reports that a loaded model gives the outputs of its random start; "modified by an inplace operation" reports on buffers
rules: [TL106, TL121]
"""
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class JoinedBiasBase(nn.Module):
    def __init__(self, n: int = 3):
        super().__init__()
        self.first, self.rest = nn.Parameter(torch.randn(1, n + 1)), nn.Parameter(torch.randn(n, n + 1))

    def forward(self, scores: Tensor) -> Tensor:
        return scores + self.table


class JoinedOnce(JoinedBiasBase):
    def __init__(self, n: int = 3):
        super().__init__(n)
        self.register_buffer("table", torch.cat([self.first, self.rest]).detach())  # expect: TL106


class JoinedAtUse(JoinedBiasBase):
    @property
    def table(self) -> Tensor:  # ok: TL106
        return torch.cat([self.first, self.rest])


class JoinedStart(JoinedBiasBase):
    """Only starts from the biases: it is an average that update() goes on writing."""

    def __init__(self, n: int = 3):
        super().__init__(n)
        self.register_buffer("table", torch.cat([self.first, self.rest]).detach())  # ok: TL106

    @torch.no_grad()
    def update(self, rate: float = 0.1):
        self.table.lerp_(torch.cat([self.first, self.rest]), rate)


class NoisyLabelBase(nn.Module):
    def __init__(self, classes: int = 3, rate: float = 0.1):
        super().__init__()
        self.rate = rate
        self.register_buffer("confusion", torch.eye(classes))

    @torch.no_grad()
    def seen(self, probs: Tensor, y: Tensor) -> Tensor:
        return F.one_hot(y, len(self.confusion)).to(probs).mT @ probs / len(y)

    def forward(self, logits: Tensor, y: Tensor) -> Tensor:
        probs = logits.softmax(-1)
        noisy = probs @ self.confusion
        self.correct(probs, y)
        return F.nll_loss((noisy + 1e-6).log(), y)


class InPlaceNoisyLabels(NoisyLabelBase):
    def correct(self, probs, y):
        with torch.no_grad():
            self.confusion.mul_(1 - self.rate).add_(self.seen(probs, y), alpha=self.rate)  # expect: TL121


class ReboundNoisyLabels(NoisyLabelBase):
    def correct(self, probs, y):
        with torch.no_grad():
            self.confusion = (1 - self.rate) * self.confusion + self.rate * self.seen(probs, y)  # ok: TL121


class CopiedNoisyLabels(NoisyLabelBase):
    def forward(self, logits, y):
        probs = logits.softmax(-1)
        noisy = probs @ self.confusion.clone()
        with torch.no_grad():
            self.confusion.lerp_(self.seen(probs, y), self.rate)  # ok: TL121
        return F.nll_loss((noisy + 1e-6).log(), y)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    scores = torch.zeros(4, 4)
    for cls, fresh in ((JoinedOnce, False), (JoinedAtUse, True)):
        m = cls()
        m.first.data.add_(1)  # as a step of the optimizer does
        assert torch.equal(m(scores), torch.cat([m.first, m.rest])) is fresh, cls
    m = JoinedStart()
    m.update()
    logits, y = torch.randn(4, 3), torch.tensor([0, 1, 2, 0])
    for cls, works in ((InPlaceNoisyLabels, False), (ReboundNoisyLabels, True), (CopiedNoisyLabels, True)):
        try:
            cls()(logits.clone().requires_grad_(), y).backward()
            ok = True
        except RuntimeError as exc:
            assert "inplace" in str(exc), exc
            ok = False
        assert ok is works, cls
