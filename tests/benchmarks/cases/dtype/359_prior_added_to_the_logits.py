"""Long-tailed recognition: the log prior is worked out in numpy, registered as it is and added to the logits before the loss.

source: logit-adjustment re-implementations; facebookresearch/detectron2#5026 kind (statistics as numpy arrays make the data double)
rules: [TL203]
"""
from functools import cached_property

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Labels:
    def __init__(self, ids, classes):
        self.ids, self.classes = np.asarray(ids), classes

    @cached_property
    def counts(self):
        return np.bincount(self.ids, minlength=self.classes)

    def prior(self, tau=1.0):
        return tau * np.log(self.counts / self.counts.sum() + 1e-6)


class AdjustedLoss(nn.Module):
    def __init__(self, labels, tau=1.0):
        super().__init__()
        self.register_buffer("shift", self.convert(labels.prior(tau=tau)))

    @staticmethod
    def convert(array):
        return torch.tensor(array)  # expect: TL203

    def forward(self, logits, target):
        return F.cross_entropy(logits + self.shift, target)


class AdjustedLossNarrow(AdjustedLoss):
    @staticmethod
    def convert(array):
        return torch.tensor(array.astype("float32"))  # ok: TL203


class CountedLoss(nn.Module):
    """The counts are integers on the numpy side; the division happens in torch, at the default type."""

    def __init__(self, labels):
        super().__init__()
        counts = torch.from_numpy(labels.counts)  # ok: TL203
        self.register_buffer("shift", (counts / counts.sum() + 1e-6).log())

    def forward(self, logits, target):
        return F.cross_entropy(logits + self.shift, target)


class ReportedPrior:
    """Printed, compared and sorted, never near a module or a loss."""

    def __init__(self, labels):
        self.prior = torch.as_tensor(labels.prior())  # ok: TL203

    def rarest(self, k):
        return self.prior.topk(k, largest=False).indices.tolist()


def demonstrate():
    torch.manual_seed(0)
    labels = Labels([0, 0, 0, 1, 1, 2], classes=3)
    net, x, y = nn.Linear(4, 3), torch.randn(5, 4), torch.randint(0, 3, (5,))
    assert AdjustedLoss(labels)(net(x), y).dtype is torch.float64  # the loss and all behind it run in double
    for cls in (AdjustedLossNarrow, CountedLoss):
        assert cls(labels)(net(x), y).dtype is torch.float32
    assert ReportedPrior(labels).rarest(1) == [2]
