"""Integers of unknown values that torch is given beside the scores are lengths; those that only the loss gets are not."""
import torch
import torch.nn.functional as F
from torch import nn


def aligned(log_probs, targets, shares, target_shares):
    lengths = (shares * log_probs.shape[0]).round().int()  # ok: TL305
    target_lengths = (target_shares * targets.shape[1]).round().int()  # ok: TL305
    loss = F.ctc_loss(log_probs, targets, lengths, target_lengths, reduction="none")
    return (loss / target_lengths).mean()


def graded(scores: torch.Tensor, wanted: torch.Tensor):
    grades = (scores.sigmoid() * 15).round().int()  # expect: TL305
    return F.l1_loss(grades.float() / 15, wanted)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 4)

    def loss(self, x, targets, shares, target_shares):
        return aligned(self.lin(x).log_softmax(-1), targets, shares, target_shares)

    def grade_loss(self, x, wanted):
        return graded(self.lin(x), wanted)


def step(reader: Reader, x, wanted):
    loss = reader.grade_loss(x, wanted)
    loss.backward()


def demonstrate():
    reader = Reader()
    reader.loss(torch.ones(4, 1, 2), torch.tensor([[1, 2]]), torch.ones(1), torch.ones(1)).backward()
    assert reader.lin.weight.grad is not None
    try:
        step(reader, torch.ones(3, 2), torch.ones(3, 4))
        raise AssertionError("there was a gradient")
    except RuntimeError:
        pass
