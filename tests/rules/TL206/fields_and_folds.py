"""Fields that a class declares as dtypes are compared; a fold picks the greater of two by a function of its own."""

from dataclasses import dataclass
from functools import reduce

import torch


@dataclass
class Widths:
    keep: torch.dtype = torch.float32
    work: torch.dtype = torch.float32
    bits: int = 32

    def check(self):
        return self.work > self.keep  # expect: TL206

    def check_size(self):
        return self.work.itemsize > self.keep.itemsize  # ok: TL206  sizes are numbers

    def check_bits(self, other):
        return self.bits > other  # ok: TL206  a number


def widest(tensors):
    return reduce(lambda one, other: one if one >= other else other, [t.dtype for t in tensors])  # expect: TL206


def promoted(tensors):
    return reduce(torch.promote_types, [t.dtype for t in tensors])  # ok: TL206


def largest(tensors):
    return reduce(lambda one, other: one if one >= other else other, [t.numel() for t in tensors])  # ok: TL206


def by_size(tensors):
    kinds = [t.dtype for t in tensors]
    return reduce(lambda one, other: one if one.itemsize >= other.itemsize else other, kinds)  # ok: TL206
