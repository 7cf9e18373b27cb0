"""A record, or a dict that a function returns, is known field by field: one is an index, another one is no index."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Batch(NamedTuple):
    x: torch.Tensor
    label: torch.Tensor
    weight: torch.Tensor


@dataclass
class Sample:
    rows: torch.Tensor
    scores: torch.Tensor


class Held:
    def __init__(self, rows, scores):
        self.rows = rows
        self.scores = scores


def batch_of(samples):
    x = torch.stack([sample["x"] for sample in samples])
    label = torch.Tensor([int(sample["label"]) for sample in samples])  # expect: TL201  # note: TL202
    return Batch(x, label, torch.ones(len(samples)))


def batch_of_numbers(samples):
    x = torch.stack([sample["x"] for sample in samples])
    label = torch.tensor([int(sample["label"]) for sample in samples])  # ok: TL201
    return Batch(x, label, weight=torch.ones(len(samples)))


def score(model, samples):
    batch = batch_of(samples)
    return (F.cross_entropy(model(batch.x), batch.label, reduction="none") * batch.weight).mean()


def score_of_numbers(model, samples):
    batch = batch_of_numbers(samples)
    return (F.cross_entropy(model(batch.x), batch.label, reduction="none") * batch.weight).mean()


def score_unpacked(model, samples):
    x, label, weight = batch_of_numbers(samples)
    return (F.cross_entropy(model(x), label, reduction="none") * weight).mean()


def sample_of(x):
    return Sample(rows=torch.floor(x[:, 0] / 2), scores=x[:, 1])  # expect: TL201


def picked(table, x):
    sample = sample_of(x)
    return table[sample.rows] * sample.scores[:, None]


def held_of(x):
    return Held(torch.floor(x[:, 0] / 2).long(), x[:, 1] / 2)  # ok: TL201


def picked_from_held(table, x):
    held = held_of(x)
    return table[held.rows] * held.scores[:, None]


def floating_held_of(x):
    return Held(torch.floor(x[:, 0] / 2), x[:, 1] / 2)  # expect: TL201


def picked_from_floating(table, x):
    held = floating_held_of(x)
    return table.index_select(0, held.rows) * held.scores[:, None]


class Cells:
    def __init__(self, low, size):
        self.low, self.size = low, size

    def found(self, x):
        cells = torch.floor((x - self.low) / self.size)  # expect: TL201
        return {"cells": cells, "inside": (cells >= 0).all(-1)}

    def found_exactly(self, x):
        cells = torch.floor((x - self.low) / self.size).to(torch.int32)  # ok: TL201
        return {"cells": cells, "inside": (cells >= 0).all(-1)}


def flat(cells, side):
    return cells[:, 0] * side + cells[:, 1]


class Pool(nn.Module):
    def __init__(self, side=4):
        super().__init__()
        self.side, self.linear = side, nn.Linear(2, 3)
        self.cells = Cells(0.0, 0.25)

    def find(self, x):
        return self.cells.found(x)

    def forward(self, x):
        found = self.find(x)
        values = self.linear(x[found["inside"]])  # ok: TL201  a mask
        rows = flat(found["cells"][found["inside"]], self.side)
        return values.new_zeros(self.side**2, 3).index_add(0, rows, values)


class PoolExact(Pool):
    def find(self, x):
        return self.cells.found_exactly(x)


def made_whole(x, table):
    found = Cells(0.0, 0.25).found(x)
    found["cells"] = found["cells"].long()
    return table[found["cells"]]  # ok: TL201


def demonstrate():
    model, x, table = nn.Linear(4, 3), torch.rand(3, 2), torch.rand(4, 2)
    samples = [{"x": torch.rand(4), "label": k} for k in range(3)]
    refused = [
        lambda: score(model, samples),
        lambda: picked(table, x),
        lambda: picked_from_floating(table, x),
        lambda: Pool()(x),
    ]
    for call in refused:
        try:
            call()
            raise AssertionError("floating indices were accepted")
        except (IndexError, RuntimeError) as error:
            assert any(word in str(error) for word in ("index", "Long", "Float", "indices"))
    score_of_numbers(model, samples), score_unpacked(model, samples), picked_from_held(table, x)
    PoolExact()(x), made_whole(x, table)
