"""np.arange counts in int64 or float64: whatever it is divided by, or raised to, becomes a table of float64."""

import numpy as np
import torch
from torch import nn


def waves(length, dim):
    places = np.arange(length)[:, None]
    rates = np.power(10000.0, -2 * (np.arange(dim) // 2) / dim)[None]
    table = places * rates
    table[:, 0::2] = np.sin(table[:, 0::2])
    return table


class Places(nn.Module):
    def __init__(self, length, dim):
        super().__init__()
        self.linear = nn.Linear(dim, dim)
        self.register_buffer("table", self.table_of(length, dim), persistent=False)

    def table_of(self, length, dim):
        return torch.from_numpy(waves(length, dim))  # expect: TL203

    def forward(self, ids):
        return self.linear(self.table[ids])


class PlacesNarrow(Places):
    def table_of(self, length, dim):
        return torch.from_numpy(waves(length, dim).astype(np.float32))  # ok: TL203


class PlacesCast(Places):
    def table_of(self, length, dim):
        return torch.from_numpy(waves(length, dim)).to(torch.get_default_dtype())  # ok: TL203


class PlacesCopied(nn.Module):
    def __init__(self, length, dim):
        super().__init__()
        self.table, self.linear = nn.Embedding(length, dim), nn.Linear(dim, dim)
        with torch.no_grad():
            self.table.weight.copy_(torch.as_tensor(waves(length, dim)))  # ok: TL203  copied into a float32 one

    def forward(self, ids):
        return self.linear(self.table(ids))


def shares(model, length):
    return model(torch.from_numpy(np.exp(-np.arange(length) / length)))  # expect: TL203


def counted(model, length, step):
    return model(torch.from_numpy(np.arange(0, length, step) * 2 + length))  # ok: TL203  integers, or not known


def demonstrate():
    ids, linear = torch.tensor([[0, 3]]), nn.Linear(4, 4)
    for call in (lambda: Places(6, 4)(ids), lambda: shares(linear, 4)):
        try:
            call()
            raise AssertionError("float64 met a float32 layer")
        except RuntimeError as error:
            assert "dtype" in str(error)
    for module in (PlacesNarrow(6, 4), PlacesCast(6, 4), PlacesCopied(6, 4)):
        assert module(ids).dtype is torch.float32
    assert counted(lambda x: x, 4, 2).dtype is torch.int64
