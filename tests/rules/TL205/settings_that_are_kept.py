"""A size is a setting that the object keeps: the one that a layer was made with, and the last of its dimensions."""

from types import SimpleNamespace

import torch
from torch import nn


class Characters(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.embed = nn.Embedding(args.count, args.dim)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        x = self.drop(self.embed(x))
        x = x.transpose(2, 3)
        return x.view(-1, self.args.dim, x.size(3))  # ok: TL205  the first two are neighbours

    def turned(self, x):
        x = self.drop(self.embed(x))
        x = x.transpose(2, 3)
        return x.view(x.size(0), -1, self.args.dim)  # expect: TL205

    def turned_in_front(self, x):
        x = self.embed(x)
        x = x.transpose(0, 1)
        return x.view(-1, self.args.dim)  # expect: TL205

    def halved(self, x):
        x = self.embed(x)
        x = x.transpose(0, 1)
        return x.view(x.size(0), x.size(1), 2, -1)  # ok: TL205  the last dimension is split


class Steps:
    """No tensor: its end is a number."""

    def __init__(self, schedule):
        self.schedule = schedule

    @property
    def T(self):
        return 1.0


def end_of(sde, batch):
    share = torch.rand(batch.shape[0]) * (sde.T - 0.1)
    if sde.schedule == "late":
        share = share + sde.T
    return share.view(-1, 1, 1).repeat(1, 2, 3)  # ok: TL205  sde.T beside sde.schedule


def flat(rows):
    whole = rows.T * 2.0
    return whole.view(-1), rows.shape  # expect: TL205


def demonstrate():
    module = Characters(SimpleNamespace(count=5, dim=4))
    words = torch.zeros(2, 3, 6, dtype=torch.long)
    assert module(words).shape == (6, 4, 6) and module.halved(words[0]).shape == (6, 3, 2, 2)
    assert end_of(Steps("late"), torch.rand(2, 2, 3)).shape == (2, 2, 3)
    for call in (
        lambda: module.turned(words),
        lambda: module.turned_in_front(words[0]),
        lambda: flat(torch.rand(2, 3)),
    ):
        try:
            call()
            raise AssertionError("the view was legal")
        except RuntimeError as error:
            assert "view" in str(error)
