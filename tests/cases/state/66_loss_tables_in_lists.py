"""Multi-task loss: per-task class weights in a list and a dict of tensors, targets of the same shape kept only for their sizes.

source: woven-by-toyota/l5kit#305, pytorch/pytorch#29807, IBM/simulai#182
rules: [TL101, TL105]
"""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class TaskCfg:
    counts: dict = field(default_factory=lambda: {"sex": [10, 30], "age": [5, 10, 25]})
    smooth: float = 1.0


def inverse(counts, smooth: float) -> torch.Tensor:
    c = torch.as_tensor(counts, dtype=torch.float32) + smooth
    return c.sum() / (len(c) * c)


class TaskLoss(nn.Module):
    def __init__(self, cfg: TaskCfg):
        super().__init__()
        self.tasks = sorted(cfg.counts)
        self.prepare({t: inverse(cfg.counts[t], cfg.smooth) for t in self.tasks})

    def prepare(self, weights: dict) -> None:
        raise NotImplementedError

    def weight_of(self, task: str) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, logits: dict, target: dict):
        return sum(F.cross_entropy(logits[t], target[t], weight=self.weight_of(t)) for t in self.tasks)


class DictTaskLoss(TaskLoss):
    def prepare(self, weights):
        self.weights = weights  # expect: TL105

    def weight_of(self, task):
        return self.weights[task]


class ListTaskLoss(TaskLoss):
    def prepare(self, weights):
        self.weights = []  # expect: TL105
        for t in self.tasks:
            self.weights.append(weights[t])

    def weight_of(self, task):
        return self.weights[self.tasks.index(task)]


class NumbersTaskLoss(TaskLoss):
    def prepare(self, weights):
        self.weights = {t: w.tolist() for t, w in weights.items()}  # ok: TL105
        self.sizes = [w.numel() for w in weights.values()]  # ok: TL105

    def forward(self, logits, target):
        total = 0.0
        for t in self.tasks:
            total = total + F.cross_entropy(logits[t], target[t], weight=logits[t].new_tensor(self.weights[t]))
        return total


class BufferDictTaskLoss(TaskLoss):
    def prepare(self, weights):
        for t, w in weights.items():
            self.register_buffer("w_" + t, w, persistent=False)  # ok: TL101

    def weight_of(self, task):
        return getattr(self, "w_" + task)


class OneTensorTaskLoss(BufferDictTaskLoss):
    """Parameters in a ParameterDict are registered, gradient or not."""

    def prepare(self, weights):
        self.table = nn.ParameterDict({t: nn.Parameter(w, requires_grad=False) for t, w in weights.items()})  # ok: TL105

    def weight_of(self, task):
        return self.table[task]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    logits = {"sex": torch.randn(4, 2), "age": torch.randn(4, 3)}
    target = {"sex": torch.tensor([0, 1, 1, 0]), "age": torch.tensor([2, 1, 0, 0])}
    for cls, follows in (
        (DictTaskLoss, False), (ListTaskLoss, False), (NumbersTaskLoss, True), (BufferDictTaskLoss, True), (OneTensorTaskLoss, True),
    ):
        m = cls(TaskCfg())
        m(logits, target)
        try:
            out = m.double()({k: v.double() for k, v in logits.items()}, target)
            ok = out.dtype == torch.float64
        except RuntimeError as exc:
            assert "type" in str(exc), exc
            ok = False
        assert ok is follows, cls
