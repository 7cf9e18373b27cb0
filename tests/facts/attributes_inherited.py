"""Attributes that a base class writes, registers, or promises."""
from types import SimpleNamespace

import torch
from torch import nn


class Base(nn.Module):
    scale = 2.0
    shared = torch.zeros(2)

    def __init__(self, given=None):
        super().__init__()
        self.register_buffer("table", torch.zeros(2, dtype=torch.int64))
        self.offset = torch.zeros(2)
        self.kept = torch.zeros(2).half()
        self.given = given

    def forward(self, x):
        return self.table  # fact: buffer int64 registered buffer


class Derived(Base):
    shared = None

    def __init__(self, given, other):
        super().__init__(given)
        self.offset = torch.zeros(2, dtype=torch.int64)
        self.other = other

    def forward(self, x):
        self.table  # fact: buffer int64 from self.table registered buffer
        self.kept  # fact: tensor float16 plain
        self.offset  # fact: tensor dtype ? plain
        self.scale  # fact: number floating
        self.shared  # fact: none
        self.given  # fact: unknown dtype ?
        self.other  # fact: unknown dtype ?
        return self.table  # fact: buffer int64


class Replaced(Base):
    def __init__(self):
        nn.Module.__init__(self)
        self.offset = [torch.zeros(1)]

    def forward(self, x):
        self.offset  # fact: container of tensor float32
        self.kept  # fact: not known
        return self.table  # fact: not known


class Layered(nn.Linear):
    def forward(self, x):
        self.weight  # fact: parameter floating registered parameter
        self.bias  # fact: parameter floating registered parameter
        self.in_features  # fact: unknown dtype ?
        return self.weight @ x  # fact: tensor floating from self.weight, x


class Normalized(nn.BatchNorm1d):
    def forward(self, x):
        self.running_mean  # fact: buffer dtype ? registered buffer
        self.num_batches_tracked  # fact: buffer dtype ? registered buffer
        return self.momentum  # fact: unknown dtype ?


class Measured(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(3))
        self.anything = None

    @property
    def doubled(self):
        return self.table + self.table

    @property
    def given(self):
        return self.anything.foreign


class Remeasured(Measured):
    @property
    def doubled(self):
        return super().doubled  # fact: tensor float32

    @property
    def given(self):
        return super().given  # fact: unknown dtype ?

    def train(self, mode=True):
        module = super().train(mode)
        module.table  # fact: buffer float32
        module.elsewhere  # fact: not known
        return module


class Foreign(object):
    def forward(self, x):
        return self.weight  # fact: not known


def demo():
    Base()(torch.ones(2))
    Derived(1, 2)(torch.ones(2))
    module = Replaced()
    module.table = module.kept = None
    module(torch.ones(2))
    Layered(2, 2)(torch.ones(2))
    Normalized(2)(torch.ones(2))
    measured = Remeasured()
    measured.anything, measured.elsewhere = SimpleNamespace(foreign=1), 1
    measured.doubled, measured.given  # noqa: B018
    measured.train()
