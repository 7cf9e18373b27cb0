"""Records, objects that keep their arguments, and dicts that a function returns: known field by field."""

from dataclasses import dataclass, field
from typing import NamedTuple

import torch


class Pair(NamedTuple):
    rows: torch.Tensor
    scores: torch.Tensor


@dataclass
class Sample:
    rows: torch.Tensor
    scores: torch.Tensor


@dataclass
class Weighted(Sample):
    total: torch.Tensor = field(init=False, default=None)
    weights: torch.Tensor = None


@dataclass
class Turned:
    rows: torch.Tensor
    scores: torch.Tensor

    def __init__(self, scores, rows):
        self.rows = rows
        self.scores = scores


@dataclass
class Changed:
    values: torch.Tensor


class Held:
    def __init__(self, rows, scores, extra=None):
        self.rows = rows
        self.scores = scores * 2
        self.extra = extra
        self.extra = None


def pair_of():
    return Pair(torch.arange(2), scores=torch.zeros(2))


def table_of(x: torch.Tensor):
    found = {"rows": torch.arange(2), "x": x}
    found["half"] = torch.zeros(2).half()
    return found


def widened(table):
    table["half"] = table["half"].float()


def fields(x: torch.Tensor):
    pair = pair_of()
    pair.rows  # fact: tensor int64
    pair.scores  # fact: tensor float32
    Sample(torch.arange(2), scores=x.half()).rows  # fact: tensor int64
    Sample(torch.arange(2), scores=x.half()).scores  # fact: tensor float16 from x
    Held(torch.arange(2), torch.zeros(2)).rows  # fact: tensor int64
    Held(torch.arange(2), torch.zeros(2).half(), extra=torch.zeros(2)).extra  # fact: not known


def inherited(x: torch.Tensor):
    weighted = Weighted(torch.arange(2), x.half(), torch.zeros(2).double())
    weighted.weights  # fact: tensor float64
    weighted.total  # fact: tensor dtype ?


def own_constructor(x: torch.Tensor):
    turned = Turned(x.half(), torch.arange(2))
    turned.rows  # fact: tensor int64


def unpacked():
    rows, scores = pair_of()
    rows  # fact: tensor int64
    scores  # fact: tensor float32


def replaced():
    changed = Changed(torch.zeros(2))
    narrow(changed)
    return changed.values  # fact: tensor dtype ?


def narrow(changed):
    changed.values = changed.values.half()


def keys(x: torch.Tensor):
    table_of(x)["rows"]  # fact: tensor int64
    table_of(x)["half"]  # fact: tensor float16
    table_of(x)["other" if x is None else "x"]  # fact: tensor dtype ?


def rewritten(x: torch.Tensor):
    table = table_of(x)
    table["rows"] = torch.zeros(2)
    return table["rows"]  # fact: unknown dtype ?


def handed_on(x: torch.Tensor):
    table = table_of(x)
    widened(table)
    return table["half"]  # fact: unknown dtype ?


def given(table):
    return table["rows"] + 1


def passed(x: torch.Tensor):
    given(table_of(x))  # fact: tensor int64


def demo():
    x = torch.ones(2)
    fields(x), inherited(x), own_constructor(x), unpacked(), replaced(), keys(x), rewritten(x), handed_on(x), passed(x)
