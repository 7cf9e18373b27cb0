"""The weights of a loss are bound before it is called: by functools.partial, or by an assignment to the loss."""

from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def shares(labels):
    counts = np.bincount(np.asarray(labels))
    return counts / counts.sum()


def rare(labels):
    return torch.tensor([1.0 / share for share in shares(labels)])  # expect: TL203


def rare_of_python(labels):
    return torch.tensor([float(1.0 / share) for share in shares(labels)])  # ok: TL203


def by_partial(labels):
    return partial(F.cross_entropy, weight=rare(labels))


def by_partial_of_python(labels):
    return partial(F.cross_entropy, weight=rare_of_python(labels))


def by_lambda(labels):
    weights = torch.from_numpy(shares(labels))  # expect: TL203
    makers = {"cross entropy": lambda: partial(nn.CrossEntropyLoss, weight=weights)}
    return makers["cross entropy"]()()


def assigned(labels):
    loss = nn.CrossEntropyLoss()
    loss.weight = torch.from_numpy(shares(labels))  # expect: TL203
    return loss


def assigned_narrow(labels):
    loss = nn.CrossEntropyLoss()
    loss.weight = torch.from_numpy(shares(labels)).float()  # ok: TL203
    return loss


def other_partial(labels):
    return partial(print, torch.from_numpy(shares(labels)))  # ok: TL203  no loss


def demonstrate():
    labels, logits = [0, 0, 1, 2], torch.rand(4, 3)
    for make in (by_partial, by_lambda, assigned):
        try:
            make(labels)(logits, torch.tensor(labels))
            raise AssertionError("float64 weights were accepted")
        except RuntimeError as error:
            assert "Double" in str(error)
    for make in (by_partial_of_python, assigned_narrow):
        make(labels)(logits, torch.tensor(labels))
    other_partial(labels)
