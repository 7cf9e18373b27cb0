"""A floating value is given to a module of the project, alone or in a record, and its forward() indexes with it."""
from typing import NamedTuple

import torch
from torch import nn


class Batch(NamedTuple):
    x: torch.Tensor
    ids: torch.Tensor


def collated(rows):
    x = torch.stack([row["x"] for row in rows])
    ids = torch.tensor([row["number"] / 2 for row in rows])  # expect: TL201
    return Batch(x, ids)


def collated_whole(rows):
    x = torch.stack([row["x"] for row in rows])
    ids = torch.tensor([row["number"] // 2 for row in rows])  # ok: TL201
    return Batch(x, ids)


class Users(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = nn.Embedding(4, 2)

    def forward(self, batch: Batch):
        return self.names(batch.ids) + batch.x


class Sums(nn.Module):
    def forward(self, batch: Batch):
        return batch.ids[:, None] + batch.x


class Rounded(nn.Module):
    def __init__(self):
        super().__init__()
        self.users = nn.Embedding(4, 2)
        self.table = Table()

    def forward(self, x):
        return self.table(x, torch.floor(x[:, 0].float()))  # expect: TL201


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Parameter(torch.zeros(4, 2))

    def forward(self, x, at):
        return x + self.rows[at]


def trained(users: Users, rows):
    return users(collated(rows))


def trained_whole(users: Users, rows):
    return users(collated_whole(rows))


def summed(sums: Sums, rows):
    return sums(collated(rows))  # ok: TL201  a sum


def demonstrate():
    rows = [{"x": torch.zeros(2), "number": number} for number in (2, 4)]
    assert trained_whole(Users(), rows).shape == summed(Sums(), rows).shape == (2, 2)
    for wrong in (lambda: trained(Users(), rows), lambda: Rounded()(torch.zeros(3, 2))):
        try:
            wrong()
        except (IndexError, RuntimeError):
            continue
        raise AssertionError("a floating index was taken")
