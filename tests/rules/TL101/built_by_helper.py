"""A helper that the constructor calls builds the table; subclasses decide how it is kept."""
import torch
from torch import nn


def ramp(length: int) -> torch.Tensor:
    return torch.arange(length) / length


class Positions(nn.Module):
    def __init__(self, length: int = 4):
        super().__init__()
        self.build(length)

    def build(self, length: int) -> None:
        raise NotImplementedError

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class PlainPositions(Positions):
    def build(self, length):
        table = ramp(length)
        self.table_shape = table.shape  # ok: TL101
        self.table = table  # expect: TL101


class RegisteredPositions(Positions):
    def build(self, length):
        self.register_buffer("table", ramp(length), persistent=False)  # ok: TL101


class RebuiltPositions(RegisteredPositions):
    def build(self, length):
        super().build(length)
        self.table = self.table * 2  # ok: TL101  the base has registered the name


def demonstrate():
    x = torch.zeros(1, 4)
    for module, follows in ((PlainPositions(), False), (RegisteredPositions(), True), (RebuiltPositions(), True)):
        assert (module.half()(x.half()).dtype == torch.float16) is follows
