"""A dataclass that is a module: the generated constructor calls __post_init__."""
from dataclasses import dataclass, field

import torch
from bases import Sized
from torch import nn


@dataclass(eq=False)
class Head(nn.Module):  # class: module; buffers table; parameters weight; plain size
    size: int = 2

    def __post_init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(self.size))
        self.weight = nn.Parameter(torch.zeros(self.size))


@dataclass(eq=False)
class Wide(Sized):  # class: module; buffers table, wide; plain size, factor
    factor: float = 2.0

    def __post_init__(self):
        super().__post_init__()
        self.register_buffer("wide", self.table * self.factor)


@dataclass
class Options:  # class: plain
    size: int = 2
    names: list = field(default_factory=list)

    def __post_init__(self):
        self.table = torch.zeros(self.size)


class WithoutDecorator(nn.Module):  # class: module; buffers table?
    size: int = 2

    def __post_init__(self):
        self.register_buffer("table", torch.zeros(self.size))
