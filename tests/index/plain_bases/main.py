"""Classes of torch and of the standard library that are no modules, with all that a module has."""
import argparse
import collections
import json
import logging
import threading
import types
import unittest
from abc import ABC
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import partial
from typing import NamedTuple, TypedDict

import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler
from torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler


class Output(NamedTuple):  # class: plain
    logits: torch.Tensor


class Made(collections.namedtuple("Made", "logits")):  # class: plain
    pass


class Batch(TypedDict):  # class: plain
    logits: torch.Tensor


class Ordered(collections.OrderedDict):  # class: plain
    pass


class Mode(Enum):  # class: plain
    TRAIN = 1


class Level(IntEnum):  # class: plain
    LOW = 1


@dataclass
class Config:  # class: plain
    layer: nn.Module = None
    table: torch.Tensor = None

    def __post_init__(self):
        self.register_buffer("table", torch.zeros(1))

    def register_buffer(self, name, value):
        setattr(self, name, value)


class Descent(torch.optim.Optimizer):  # class: plain
    def __init__(self, params):
        super().__init__(params, {})
        self.momentum = nn.Parameter(torch.zeros(1))


class Adam(torch.optim.Adam):  # class: plain
    pass


class Warmup(LRScheduler):  # class: plain
    pass


class Images(Dataset):  # class: plain
    def __init__(self):
        super().__init__()
        self.norm = nn.Linear(1, 1)

    def forward(self, x):
        return self.norm(x)


class Stream(IterableDataset):  # class: plain
    pass


class Shuffle(Sampler):  # class: plain
    pass


class Loader(DataLoader):  # class: plain
    pass


class Round(torch.autograd.Function):  # class: plain
    @staticmethod
    def forward(ctx, x):
        return x.round()


class Tagged(torch.Tensor):  # class: plain
    pass


class Frozen(nn.Parameter):  # class: plain
    pass


class Spread(torch.distributions.Distribution):  # class: plain
    pass


class Bent(torch.distributions.transforms.Transform):  # class: plain
    pass


class Later(partial):  # class: plain
    pass


class Worker(threading.Thread):  # class: plain
    def __init__(self):
        super().__init__()
        self.model = nn.Linear(1, 1)

    def forward(self, x):
        return self.model(x)


class Handler(logging.Handler):  # class: plain
    pass


class Encoder(json.JSONEncoder):  # class: plain
    pass


class Flag(argparse.Action):  # class: plain
    pass


class Case(unittest.TestCase):  # class: plain
    pass


class Space(types.SimpleNamespace):  # class: plain
    pass


class Wrong(ValueError):  # class: plain
    pass


class Interface(ABC):  # class: plain
    def forward(self, x): ...


class Names(list):  # class: plain
    pass
