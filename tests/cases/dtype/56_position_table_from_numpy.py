"""A sinusoid table computed in numpy is float64; it is registered as it is and then feeds a float32 Linear.

source: Transformer re-implementations with a numpy table ("mat1 and mat2 must have the same dtype, but got Double and Float")
rules: [TL203]
"""
import numpy as np
import torch
from torch import nn


def angle_table(length, dim):
    pos = np.arange(length)[:, None]
    rate = np.power(10000.0, -2 * (np.arange(dim) // 2) / dim)[None]
    table = pos * rate
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return table


class Positions(nn.Module):
    def __init__(self, length, dim):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.register_buffer("table", self.make(length, dim), persistent=False)

    def make(self, length, dim):
        return torch.from_numpy(angle_table(length, dim))  # expect: TL203

    def forward(self, ids):
        return self.mix(self.table[ids])


class PositionsSingle(Positions):
    def make(self, length, dim):
        return torch.from_numpy(angle_table(length, dim).astype(np.float32))  # ok: TL203


class PositionsCast(Positions):
    def make(self, length, dim):
        table = torch.from_numpy(angle_table(length, dim))  # ok: TL203
        return table.to(torch.get_default_dtype())


class PositionsCopied(nn.Module):
    """The embedding keeps its own dtype: copy_ converts."""

    def __init__(self, length, dim):
        super().__init__()
        self.table = nn.Embedding(length, dim)
        with torch.no_grad():
            self.table.weight.copy_(torch.as_tensor(angle_table(length, dim)))  # ok: TL203
        self.mix = nn.Linear(dim, dim)

    def forward(self, ids):
        return self.mix(self.table(ids))


# ---- demonstration ----
def demonstrate():
    ids = torch.tensor([[0, 3, 4]])
    try:
        Positions(6, 4)(ids)
        raise AssertionError("a double table met a float32 layer")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    for cls in (PositionsSingle, PositionsCast, PositionsCopied):
        assert cls(6, 4)(ids).dtype is torch.float32
