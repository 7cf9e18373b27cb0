"""A function that a method calls reads the tensor for it; what only other functions read is their own affair."""

import torch
from torch import nn

WEIGHTS = torch.tensor([0.2, 0.7, 0.1])  # expect: TL113
SCALE = torch.ones(3)  # expect: TL113
PLOT_COLOURS = torch.rand(8, 3)  # ok: TL113
TABLE = torch.ones(3)  # ok: TL113  only construction calls its reader


def luminance(image):
    return weighted(image).sum(-1)


def weighted(image):
    return image * WEIGHTS


def colours(image):
    return PLOT_COLOURS[image]


def table():
    return TABLE * 2


class Grey(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", table())
        self.scale = lambda x: x * SCALE

    def forward(self, x):
        return luminance(self.scaled(x) * self.table)

    def scaled(self, x):
        return torch.stack([part * SCALE for part in x])


def demonstrate():
    assert Grey().half()(torch.ones(2, 3).half()).dtype == torch.float32
    colours(torch.zeros(2, dtype=torch.long))
