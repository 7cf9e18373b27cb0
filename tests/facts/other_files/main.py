"""Helper functions, base classes and constants that other files of the project define."""
import torch
from parts.helpers import Config, build_mask, cast, choose, count_of, pair, register_tables
from parts.layers import Base, Normalized
from torch import nn


class Derived(Base):
    def __init__(self, given):
        super().__init__(4)
        register_tables(self, 4)
        self.mask = build_mask(4)
        self.cast = cast(torch.zeros(2))
        self.given = given
        self.config = Config()

    def forward(self, x):
        self.table  # fact: buffer int64 registered buffer
        self.scale  # fact: tensor float32 plain
        self.helper_table  # fact: buffer float16 registered buffer
        self.mask  # fact: tensor bool plain
        self.cast  # fact: tensor bfloat16 plain
        self.given  # fact: unknown dtype ? plain
        self.passed  # fact: callable plain
        self.config.dtype  # fact: other float16
        self.config.given  # fact: unknown dtype ?
        self.size  # fact: number integral
        torch.zeros(2, dtype=self.config.dtype)  # fact: tensor float16
        self.lookup(x)  # fact: buffer int64
        choose(x, True)  # fact: unknown dtype ? from x
        choose(torch.zeros(1), True)  # fact: tensor floating
        choose(torch.zeros(1).long(), True)  # fact: tensor dtype ?
        count_of(x)  # fact: number integral
        left, right = pair()
        left  # fact: tensor float32
        right  # fact: tensor int64
        return super().forward(x)  # fact: buffer int64 from self.table


class Layered(Normalized):
    def forward(self, x):
        self.weight  # fact: parameter floating registered parameter
        self.inner  # fact: module is Base registered module
        self.inner.table  # fact: buffer int64
        self.inner.not_there  # fact: unknown dtype ?
        self.running  # fact: unknown dtype ?
        return x  # fact: unknown dtype ? from x


def demo():
    x = torch.ones(2)
    Derived(3)(x)
    layered = Layered(2)
    layered.running = layered.inner.not_there = 1
    layered(x)
