"""Layers that travel in a named tuple are as far from torch as those of a list, unless each is registered as well."""

from collections import namedtuple
from typing import NamedTuple

import torch
from torch import nn

Pair = namedtuple("Pair", "score box")


class Heads(NamedTuple):
    score: nn.Module
    box: nn.Module


def made(width: int) -> Pair:
    return Pair(score=nn.Linear(width, 2), box=nn.Linear(width, 4))


class Detector(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.build(width)

    def build(self, width: int) -> None:
        raise NotImplementedError

    def forward(self, x):
        return [torch.cat([pair.score(x), pair.box(x)], -1) for pair in self.pairs()]


class ByAHelper(Detector):
    def build(self, width):
        self.shared = made(width)  # expect: TL105

    def pairs(self):
        return [self.shared]


class ByTheClass(Detector):
    def build(self, width):
        self.heads = Heads(nn.Linear(width, 2), box=nn.Linear(width, 4))  # expect: TL105

    def pairs(self):
        return [self.heads]


class InADict(Detector):
    def build(self, width):
        table = {"levels": {}}
        for level in range(2):
            table["levels"][level] = made(width)
        self.table = table  # expect: TL105

    def pairs(self):
        return list(self.table["levels"].values())


class RegisteredFirst(Detector):
    def build(self, width):
        self.score, self.box = made(width)
        self.pair = Pair(self.score, self.box)  # ok: TL105

    def pairs(self):
        return [self.pair]


class RegisteredLater(Detector):
    def build(self, width):
        self.pair = made(width)  # ok: TL105
        for name, layer in zip(Pair._fields, self.pair, strict=True):
            self.add_module(name, layer)

    def pairs(self):
        return [self.pair]


class Sizes(Detector):
    def build(self, width):
        self.sizes = Pair(score=2, box=4)  # ok: TL105
        self.score, self.box = nn.Linear(width, self.sizes.score), nn.Linear(width, self.sizes.box)

    def pairs(self):
        return [Pair(self.score, self.box)]
