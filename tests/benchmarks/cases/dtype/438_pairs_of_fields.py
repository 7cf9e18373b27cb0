"""A factorisation model multiplies pairs of fields; the numbers of the pairs are a buffer made by the legacy constructor.

source: recommender re-implementations ("tensors used as indices must be long, int, byte or bool tensors"); RUCAIBox/RecBole#1283 kind
rules: [TL201]
"""
from itertools import combinations

import torch
from torch import nn


class Crossing(nn.Module):
    def __init__(self, fields):
        super().__init__()
        self.register_buffer("pairs", self.number(fields), persistent=False)

    def number(self, fields):
        return torch.Tensor(list(combinations(range(fields), 2))).t()  # expect: TL201

    def forward(self, vectors):
        left, right = self.pairs
        return vectors.index_select(1, left) * vectors.index_select(1, right)  # use: TL201


class CrossingTyped(Crossing):
    def number(self, fields):
        return torch.tensor(list(combinations(range(fields), 2))).t()  # ok: TL201


class CrossingTriangle(Crossing):
    def number(self, fields):
        return torch.triu_indices(fields, fields, offset=1)  # ok: TL201


class CrossingWeighed(CrossingTyped):
    """A floating table beside the numbers: it is multiplied, never an index."""

    def __init__(self, fields):
        super().__init__(fields)
        self.register_buffer("trust", torch.tensor([1.0 / (b - a) for a, b in self.pairs.t().tolist()]))  # ok: TL201

    def forward(self, vectors):
        return super().forward(vectors) * self.trust[:, None]


class Machine(nn.Module):
    def __init__(self, sizes, crossing, dim=3):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(n, dim) for n in sizes)
        self.cross = crossing(len(sizes))

    def forward(self, rows):
        vectors = torch.stack([t(c) for t, c in zip(self.tables, rows.unbind(1))], dim=1)
        return self.cross(vectors).sum(dim=(1, 2)).sigmoid()


def demonstrate():
    torch.manual_seed(0)
    rows = torch.tensor([[0, 1, 2], [1, 0, 0]])
    try:
        Machine([2, 2, 3], Crossing)(rows)
        raise AssertionError("floating field numbers were selected")
    except (RuntimeError, IndexError) as err:
        assert "int" in str(err).lower(), err
    outs = []
    for crossing in (CrossingTyped, CrossingTriangle):
        torch.manual_seed(1)
        outs.append(Machine([2, 2, 3], crossing)(rows))
    assert torch.allclose(*outs)
    assert Machine([2, 2, 3], CrossingWeighed)(rows).shape == (2,)
