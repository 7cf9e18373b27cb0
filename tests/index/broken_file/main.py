"""A base in a file that is no Python."""
# not run: the file does not parse
import torch
from torch import nn

from broken import Base
from pack import Reexported, Sound


class Odd(Base):  # class: unknown
    pass


class OddReexported(Reexported):  # class: unknown
    pass


class Likely(Base):  # class: likely module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))

    def forward(self, x):
        return x + self.table


class Surely(Base, nn.Module):  # class: module
    pass


class Unharmed(Sound):  # class: module; buffers table
    pass
