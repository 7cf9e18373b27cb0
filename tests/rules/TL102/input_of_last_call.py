"""The input itself is kept: it brings the graph of the layers before, and the device of the last call."""
import torch
from torch import nn


class Difference(nn.Module):
    def __init__(self):
        super().__init__()
        self.previous = None

    def forward(self, x):
        out = x if self.previous is None else x - self.previous
        self.previous = x  # todo: TL102  the graph of the input is not seen, because no Parameter is in sight
        return out


class DetachedDifference(nn.Module):
    def __init__(self):
        super().__init__()
        self.previous = None

    def forward(self, x):
        out = x if self.previous is None else x - self.previous
        self.previous = x.detach()  # ok: TL102
        return out


def trains_twice(module: nn.Module) -> bool:
    encoder = nn.Linear(4, 4)
    for _ in range(2):
        try:
            module(encoder(torch.ones(2, 4))).sum().backward()
        except RuntimeError:
            return False
    return True


def demonstrate():
    # A linear layer keeps only its input, which is freed with the graph of the first call.
    assert not trains_twice(Difference())
    assert trains_twice(DetachedDifference())
