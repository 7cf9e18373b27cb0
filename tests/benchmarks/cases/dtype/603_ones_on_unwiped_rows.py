"""One-hot rows are scattered into torch.FloatTensor(n, classes) and nobody wiped the memory before.

source: the one_hot helpers of conditional GAN and capsule code; forum reports of "random values in my one-hot matrix"
rules: [TL202]
"""
import torch
import torch.nn.functional as F
from torch import nn


def one_hot(labels, classes):
    rows = torch.FloatTensor(labels.size(0), classes)  # expect: TL202
    return rows.scatter_(1, labels.unsqueeze(1), 1.0)


def one_hot_wiped(labels, classes):
    rows = torch.FloatTensor(labels.size(0), classes)  # ok: TL202
    rows.zero_()
    return rows.scatter_(1, labels.unsqueeze(1), 1.0)


def one_hot_zeros(labels, classes):
    return torch.zeros(labels.size(0), classes).scatter_(1, labels.unsqueeze(1), 1.0)  # ok: TL202


class MarginLoss(nn.Module):
    def __init__(self, classes=4, up=0.9, down=0.1):
        super().__init__()
        self.classes, self.up, self.down = classes, up, down

    def encode(self, labels):
        return one_hot(labels.cpu(), self.classes)

    def forward(self, lengths, labels):
        t = self.encode(labels).to(lengths.device)
        return (t * F.relu(self.up - lengths) ** 2 + 0.5 * (1 - t) * F.relu(lengths - self.down) ** 2).sum(1).mean()


class WipedMarginLoss(MarginLoss):
    def encode(self, labels):
        return one_hot_wiped(labels.cpu(), self.classes)


class ZerosMarginLoss(MarginLoss):
    def encode(self, labels):
        return one_hot_zeros(labels.cpu(), self.classes)


def demonstrate():
    torch.manual_seed(0)
    y = torch.tensor([0, 2, 3])
    torch.use_deterministic_algorithms(True)  # raw memory is filled with NaN in this mode: it shows what is read
    try:
        lengths = torch.rand(3, 4)
        good = ZerosMarginLoss()(lengths, y)
        assert torch.equal(WipedMarginLoss()(lengths, y), good)
        seen = set()
        for fill in (5.0, -7.0):
            torch.full((3, 4), fill).clone()  # leave something behind in the allocator
            seen.add(bool(one_hot(y, 4).nan_to_num(9.0).sum() == 3))
        assert False in seen or torch.isnan(one_hot(y, 4)).any(), seen
    finally:
        torch.use_deterministic_algorithms(False)
