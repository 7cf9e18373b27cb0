"""Rotation pretext task: the number of the turn is the label; it is made by multiplying a vector of ones.

source: RotNet-style self-supervision re-implementations ("expected scalar type Long but found Float"); SSL trainers
rules: [TL201]
"""
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn


class Pretext:
    """Makes a larger batch and the answer that belongs to it."""

    turns = (0, 1, 2, 3)

    def answers(self, count):
        raise NotImplementedError

    def __call__(self, images):
        views = [torch.rot90(images, k, dims=(2, 3)) for k in self.turns]
        return SimpleNamespace(x=torch.cat(views), y=self.answers(len(images)).to(images.device))


class OnesTimesTurn(Pretext):
    def answers(self, count):
        return torch.cat([torch.ones(count) * k for k in self.turns])  # expect: TL201


class FilledWithTurn(Pretext):
    def answers(self, count):
        return torch.cat([torch.full((count,), k) for k in self.turns])  # ok: TL201


class RepeatedTurn(Pretext):
    def answers(self, count):
        return torch.tensor(self.turns).repeat_interleave(count)  # ok: TL201


class SoftTurn(Pretext):
    """Smoothed answers: a floating target of the shape of the scores is a distribution."""

    def answers(self, count):
        hard = torch.eye(len(self.turns)).repeat_interleave(count, dim=0)  # ok: TL201
        return hard * 0.9 + 0.1 / len(self.turns)


class Learner(nn.Module):
    def __init__(self, task=None, side=4):
        super().__init__()
        self.task = task or OnesTimesTurn()
        self.body, self.head = nn.Linear(3 * side * side, 8), nn.Linear(8, len(Pretext.turns))

    def objective(self, images):
        sample = self.task(images)
        scores = self.head(F.relu(self.body(sample.x.flatten(1))))
        return F.cross_entropy(scores, sample.y)  # use: TL201


def demonstrate():
    torch.manual_seed(0)
    images = torch.rand(2, 3, 4, 4)
    try:
        Learner(OnesTimesTurn()).objective(images)
        raise AssertionError("a floating class number was accepted")
    except RuntimeError as err:
        assert "Long" in str(err), err
    for task in (FilledWithTurn, RepeatedTurn, SoftTurn):
        Learner(task()).objective(images).backward()
