"""A layer that the caller gives has its weights already; one that construction makes is still random."""

import torch
from torch import nn


class Acquisition(nn.Module):
    def __init__(self, model: nn.Linear):
        super().__init__()
        self.model = model
        self.own = nn.Linear(3, 1)
        self.register_buffer("best", self.model(torch.ones(1, 3)).detach().max())  # ok: TL106  of a fitted model
        self.register_buffer("first", self.own(torch.ones(1, 3)).detach().max())  # expect: TL106
        self.register_buffer("scale", self.model.weight.detach().norm())  # ok: TL106

    def forward(self, x):
        return (self.model(x) - self.best + self.own(x) - self.first) / self.scale


def demonstrate():
    Acquisition(nn.Linear(3, 1))(torch.ones(2, 3))
