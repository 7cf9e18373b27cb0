"""A dict within a dict, taken by setdefault(), is the cache: both keys are asked, and nothing else."""
import torch
from torch import nn


def grid(rows: int, columns: int, device) -> torch.Tensor:
    return torch.arange(rows * columns, device=device).view(rows, columns)


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.grids = {}

    def forward(self, x):
        rows, columns = x.shape
        by_columns = self.grids.setdefault(rows, {})
        if columns not in by_columns:
            by_columns[columns] = grid(rows, columns, x.device)  # expect: TL104
        return x + by_columns[columns]


class Placed(nn.Module):
    def __init__(self):
        super().__init__()
        self.grids = {}

    def forward(self, x):
        rows, columns = x.shape
        there = self.grids.setdefault(x.device, {})
        if (rows, columns) not in there:
            there[rows, columns] = grid(rows, columns, x.device)  # ok: TL104
        return x + there[rows, columns]


class PerCall(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        grids = {}
        by_columns = grids.setdefault(rows, {})
        if columns not in by_columns:
            by_columns[columns] = grid(rows, columns, x.device)  # ok: TL104
        return x + by_columns[columns]


def demonstrate():
    for make, follows in ((Nested, False), (Placed, True), (PerCall, True)):
        module = make()
        module(torch.ones(2, 3))
        try:
            module(torch.ones(2, 3, device="meta"))
            works = True
        except RuntimeError:
            works = False
        assert works is follows, make
