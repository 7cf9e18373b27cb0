"""Relative imports from two levels up."""
from .. import base
from ..base import Scale, make as of_the_parent
from .torch import zeros as own_zeros


class Inner(Scale):
    def forward(self, x):
        self.table  # fact: buffer int64 from self.table registered buffer
        base.make()  # fact: tensor float16
        of_the_parent()  # fact: tensor float16
        return super().forward(x)  # fact: buffer int64 from self.table
