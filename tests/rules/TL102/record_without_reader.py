"""A record for the log or a plot that no method reads: a note where it keeps the graph, nothing where it does not."""
import copy

import torch
from torch import nn


class Recorded(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)

    def forward(self, x):
        out = self.mix(x).softmax(-1)
        self.attention = out  # note: TL102
        self.penalty = self.mix.weight.square().sum()  # note: TL102
        return out


class Light(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)

    def forward(self, x):
        out = self.mix(x).softmax(-1)
        self.attention = out.detach()  # ok: TL102
        self.penalty = self.mix.weight.square().sum().item()  # ok: TL102
        self.shape = out.shape  # ok: TL102
        self.best = out.argmax(-1)  # ok: TL102  integers carry no graph
        self.mask = out > 0.5  # ok: TL102
        return out


def demonstrate():
    for kind, copies in ((Recorded, False), (Light, True)):
        module = kind()
        module(torch.ones(2, 4))
        try:
            copy.deepcopy(module)
            copied = True
        except RuntimeError as error:
            assert "graph leaves" in str(error)
            copied = False
        assert copied is copies, kind
