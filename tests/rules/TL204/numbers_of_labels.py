"""One number of a vector is an index wherever it lies: torch takes the number out of it. A vector is not."""
import torch
from torch import nn


class Smoothed(nn.Module):
    def __init__(self, share: float = 0.1):
        super().__init__()
        self.share = share

    def target(self, label, count, classes):
        target = torch.zeros(count, classes) + self.share / classes  # ok: TL204
        for row in range(count):
            target[row, label[row]] += 1 - self.share
        return target

    def forward(self, scores, label):
        count, classes = scores.shape
        target = self.target(label, count, classes).to(scores.device)
        return -(target * scores.log_softmax(-1)).sum(-1).mean()


class SmoothedAtOnce(Smoothed):
    def target(self, label, count, classes):
        target = torch.zeros(count, classes) + self.share / classes  # expect: TL204
        target[torch.arange(count), label] += 1 - self.share
        return target


def demonstrate():
    scores, label = torch.randn(4, 3), torch.tensor([0, 2, 1, 1])
    assert torch.allclose(Smoothed()(scores, label), SmoothedAtOnce()(scores, label))
    assert torch.zeros(2, 3)[0, label[1]].ndim == 0
