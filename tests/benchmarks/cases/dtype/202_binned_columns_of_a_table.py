"""Tabular model: numeric columns are binned by rounding and clamped, then every column is looked up in its own Embedding.

source: recommender and tabular networks ("Expected tensor for argument #1 'indices' to have one of Long, Int; but got Float")
rules: [TL201]
"""
from functools import partial

import torch
from torch import nn


def by_width(values, width, top):
    return torch.round(values / width).clamp(0, top)  # expect: TL201


def by_edges(values, edges):
    return torch.bucketize(values.float(), torch.tensor(edges, device=values.device))  # ok: TL201


def by_width_int(values, width, top):
    return torch.round(values / width).clamp(0, top).to(torch.int32)  # ok: TL201


class Columns(nn.Module):
    def __init__(self, binners, dim=4, levels=11):
        super().__init__()
        self.binners = binners
        self.tables = nn.ModuleDict({name: nn.Embedding(levels, dim) for name in binners})
        self.head = nn.Linear(dim * len(binners), 1)

    def encode(self, rows):
        return {name: binner(rows[name]) for name, binner in self.binners.items()}

    def forward(self, rows):
        codes = self.encode(rows)
        parts = [table(codes[name]) for name, table in self.tables.items()]  # use: TL201
        return self.head(torch.cat(parts, dim=-1))


def build(safe=False):
    edges = [i / 8 for i in range(9)]
    age = partial(by_width_int if safe else by_width, width=10.0, top=10)
    return Columns({"age": age, "score": partial(by_edges, edges=edges)})


def demonstrate():
    rows = {"age": torch.tensor([31.0, 67.0]), "score": torch.tensor([0.2, 0.9])}
    try:
        build()(rows)
        raise AssertionError("Embedding took floating codes")
    except RuntimeError as err:
        assert "indices" in str(err)
    assert build(safe=True)(rows).shape == (2, 1)
