"""The conversion follows eval() in one chain, or the two stand in branches of a loader."""

import torch
from torch import nn


class Folded(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.folded = None

    def train(self, mode: bool = True):
        super().train(mode)
        self.folded = None if mode else self.weight.detach().softmax(-1)  # expect: TL103
        return self

    def forward(self, x):
        return x @ (self.weight.softmax(-1) if self.folded is None else self.folded)


def load_in_chain():
    return Folded(3).eval().double()  # expect: TL303


def load_first():
    return Folded(3).double().eval()  # ok: TL303


def load_by_mode():
    model = Folded(3)
    model.train(False)
    model = model.to(torch.float64)  # expect: TL303
    return model


def load_plain():
    model = nn.Linear(3, 3)
    model.eval()
    model = model.double()  # ok: TL303  no cache
    return model


def demonstrate():
    for load in (load_in_chain, load_by_mode):
        try:
            load()(torch.ones(1, 3).double())
        except RuntimeError:
            continue
        raise AssertionError(load)
    load_first()(torch.ones(1, 3).double())
    load_plain()
