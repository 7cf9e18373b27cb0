"""Tensors and helpers that other files import."""

import torch

LEVELS = torch.linspace(-1, 1, 8)  # expect: TL113
WINDOW = torch.ones(4)  # ok: TL113  only construction takes it, to register a copy
NUMBERS = (1.0, 2.0)  # ok: TL113


def nearest(x):
    return LEVELS[(x[..., None] - LEVELS).abs().argmin(-1)]


def turned(weight):
    return weight.transpose(0, 1)
