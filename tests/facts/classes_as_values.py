"""Classes that are values: under an attribute of the class, and made by type()."""
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.factor = nn.Parameter(torch.ones(size))


class CountedScale(Scale):
    def __init__(self, size):
        super().__init__(size)
        self.register_buffer("count", torch.zeros(1, dtype=torch.int64))


def zeros(self, size):
    return torch.zeros(size, dtype=torch.int64)


class Block(nn.Module):
    scale_class = Scale
    make = zeros
    given = None

    def __init__(self, size, given):
        super().__init__()
        self.scale = self.scale_class(size)
        self.made = self.make(size)
        self.other = given(size)

    def forward(self, x):
        self.scale.factor  # fact: parameter float32
        self.made  # fact: unknown dtype ?
        self.other  # fact: unknown dtype ?
        return x


class CountedBlock(Block):
    scale_class = CountedScale

    def forward(self, x):
        self.scale.factor  # fact: parameter float32
        self.scale.count  # fact: buffer int64
        self.scale.count + 1  # fact: tensor int64
        return x


class GivenBlock(Block):
    def __init__(self, size, given):
        self.scale_class = given
        super().__init__(size, given)

    def forward(self, x):
        self.scale  # fact: unknown dtype ?
        self.scale.factor  # fact: unknown dtype ?
        return x


class Restored(Scale):
    """A classmethod is given the class: what it calls makes an object, and is no forward pass."""

    @classmethod
    def restored(cls, size):
        made = cls(size)
        made.factor  # fact: parameter float32
        return made

    def forward(self, x):
        return x.long()


def demo():
    Block(2, Scale)(torch.ones(2))
    CountedBlock(2, Scale)(torch.ones(2))
    GivenBlock(2, Scale)(torch.ones(2))
    Restored.restored(2)
    made = type("Made", (Block,), {})
    one = made(2, Scale)
    one.scale.factor  # fact: parameter float32
    counted = type("Counted", (CountedBlock, nn.Module), {"more": 1})(2, Scale)
    counted.scale.count  # fact: buffer int64
