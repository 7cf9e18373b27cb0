"""A criterion factory computes class weights as a list of numpy scalars: the tensor is float64 and cross_entropy raises.

source: ain-soph/trojanzoo#72, sebsk/CS224N-Project#2
rules: [TL203]
"""
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def frequencies(labels):
    counts = np.bincount(np.asarray(labels))
    return counts / counts.sum()


def rare_first(labels):
    return torch.tensor([1.0 / f for f in frequencies(labels)])  # expect: TL203


def rare_first_python(labels):
    return torch.tensor([float(1.0 / f) for f in frequencies(labels)])  # ok: TL203


def positive_ratio(labels):
    share = np.mean(np.asarray(labels) > 0)
    return torch.tensor(share)  # ok: TL203


def criterion(kind, labels):
    makers = {
        "raw": lambda: partial(F.cross_entropy, weight=rare_first(labels)),
        "python": lambda: partial(F.cross_entropy, weight=rare_first_python(labels)),
        "module": lambda: nn.CrossEntropyLoss(weight=torch.as_tensor(frequencies(labels), dtype=torch.float32)),  # ok: TL203
    }
    return makers[kind]()


class Trainer:
    def __init__(self, model, labels, kind):
        self.model, self.loss = model, criterion(kind, labels)
        self.prior = positive_ratio(labels)

    def evaluate(self, x, y):
        return self.loss(self.model(x) * self.prior, y)


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    labels, model = [0, 0, 1, 2], nn.Linear(3, 3)
    x, y = torch.randn(4, 3), torch.tensor(labels)
    try:
        Trainer(model, labels, "raw").evaluate(x, y)
        raise AssertionError("float64 class weights accepted")
    except RuntimeError as err:
        assert "Double" in str(err), err
    for kind in ("python", "module"):
        assert Trainer(model, labels, kind).evaluate(x, y).dtype is torch.float32
