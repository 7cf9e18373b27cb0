"""A base whose subclasses build the table."""
import torch
from torch import nn as N


class PositionBase(N.Module):
    def __init__(self, length: int = 4):
        super().__init__()
        self.prepare()
        self.build(length)

    def build(self, length: int) -> None:
        raise NotImplementedError

    def prepare(self) -> None:
        self.spread = torch.ones(4)  # expect: TL101

    def forward(self, x):
        return x + self.table[: x.shape[1]]
