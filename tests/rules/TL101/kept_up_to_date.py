"""What forward brings to the device and dtype of its input before it reads is left behind by no conversion."""
import torch
from torch import nn


class Extending(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.table = torch.ones(2, dim)  # ok: TL101  extend() converts it when it does not fit
        self.fixed = torch.ones(dim)  # expect: TL101

    def extend(self, x):
        if self.table.dtype != x.dtype or self.table.device != x.device:
            self.table = self.table.to(dtype=x.dtype, device=x.device)

    def forward(self, x):
        self.extend(x)
        return x + self.table[: len(x)] + self.fixed


def demonstrate():
    module = Extending().double()
    module(torch.ones(2, 4, dtype=torch.float64))
    assert module.table.dtype is torch.float64
    assert module.fixed.dtype is torch.float32


class BuiltByTheSame(nn.Module):
    """The constructor fills the table by the method that forward runs first."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.table = None
        self.extend(torch.zeros(2, dim))

    def extend(self, x):
        if self.table is not None and self.table.dtype == x.dtype and self.table.device == x.device:
            return
        table = torch.arange(self.dim).float()
        self.table = table.to(dtype=x.dtype, device=x.device)  # ok: TL101  forward calls this before it reads

    def forward(self, x):
        self.extend(x)
        return x + self.table
