"""Which argument a field of a record is: fields of bases come first, and values of the class are none."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn


@dataclass
class Step:
    weights: Tensor
    rows: Tensor


@dataclass
class Masked(Step):
    mask: Tensor


@dataclass
class Limited:
    limit: ClassVar[int] = 8
    rows: Tensor
    weights: Tensor


@dataclass
class Swapped:
    rows: Tensor
    weights: Tensor

    def __init__(self, weights, rows):
        self.weights = weights
        self.rows = rows


def looked_up(table: nn.Embedding):
    step = Masked(torch.ones(2), torch.arange(2), torch.zeros(2))  # expect: TL201
    return table(step.rows), table(step.mask)


def looked_up_last(table: nn.Embedding):
    step = Masked(torch.ones(2), torch.ones(2), torch.arange(2))
    return table(step.mask)  # ok: TL201  the third argument


def limited(table: nn.Embedding):
    return table(Limited(torch.arange(2), torch.ones(2)).rows)  # ok: TL201  limit is a value of the class


def swapped(table: nn.Embedding):
    return table(Swapped(torch.ones(2), torch.arange(2)).rows)  # ok: TL201  the constructor is its own


def demonstrate():
    table = nn.Embedding(4, 2)
    looked_up_last(table), limited(table), swapped(table)
    try:
        looked_up(table)
        raise AssertionError("an embedding took floats")
    except RuntimeError as error:
        assert "scalar types" in str(error)
