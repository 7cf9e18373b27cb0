"""Two folders up for the base, and everything by a star."""
from torch import nn, zeros

from .. import common
from ..common import *
from ..common import Head as Base


class ClampHead(Base):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.low, self.high = make_bounds(dim)  # expect: TL101
        self.scale = self.low + 2  # ok: TL101  a buffer of the base

    def forward(self, x):
        return super().forward(x).clamp(self.low, self.high)


class StarHead(Head):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.offset = zeros(dim)  # expect: TL101
        self.gate = nn.Parameter(zeros(dim))  # ok: TL101

    def forward(self, x):
        return super().forward(x) + self.offset + self.gate


class ByModule(common.Head):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        low, high = common.make_bounds(dim)
        self.register_buffer("low", low)  # ok: TL101
        self.high = high  # expect: TL101

    def forward(self, x):
        return super().forward(x).clamp(self.low, self.high)
