"""Bases that no file defines."""
# not run: the imports fail
import torch
from torch import nn

import nowhere
from nowhere.base import Base
from present import Gone, Here

from .absent import Beside


class Odd(Base):  # class: unknown
    pass


class Dotted(nowhere.deep.Base):  # class: unknown
    pass


class OddBeside(Beside):  # class: unknown
    pass


class OddGone(Gone):  # class: unknown
    pass


class NoSuchName(NeverImported):  # class: unknown
    pass


class OnlyRegisters(Base):  # class: unknown
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))


class OnlyForward(Base):  # class: unknown
    def __init__(self):
        super().__init__()
        self.table = torch.zeros(2)

    def forward(self, x):
        return x + self.table


class Likely(Base):  # class: likely module; buffers table; plain scale
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))
        self.scale = torch.zeros(2)

    def forward(self, x):
        return x + self.table + self.scale


class LikelyByLayer(Base):  # class: likely module; modules layer
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x)


class Child(Likely):  # class: likely module; buffers table
    pass


class Surely(Base, nn.Module):  # class: module
    pass


class Known(Here):  # class: plain
    pass


class WithForward(Here):  # class: plain
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x)
