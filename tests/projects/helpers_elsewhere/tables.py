"""Functions that make tensors, ids and regions for others."""
from contextlib import contextmanager

import torch
from torch import nn


def ramp(length: int) -> torch.Tensor:
    return torch.arange(length) / length


def learned(length: int) -> nn.Parameter:
    return nn.Parameter(ramp(length))


def size_and_kernel(length: int):
    return length, torch.ones(length)


def even_steps(count: int):
    return torch.linspace(0, 3, count)  # expect: TL201


def even_ids(count: int):
    return torch.linspace(0, 3, count).long()  # ok: TL201


def select(table, ids):
    return table[ids]


def full_precision():
    return torch.autocast("cpu", enabled=False)


@contextmanager
def mixed_precision():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        yield


def halved(state):
    return {name: value.half() for name, value in state.items()}  # expect: TL301
