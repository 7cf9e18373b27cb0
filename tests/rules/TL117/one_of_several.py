"""A model gets the mean of what several others learned: their parameters() alone, or their buffers too."""
import copy

import torch
from torch import nn


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))


class Hub:
    def __init__(self, count: int = 2):
        self.shared = network()
        self.copies = [copy.deepcopy(self.shared) for _ in range(count)]

    def score(self, x):
        return self.shared.eval()(x).mean()


class OfParameters(Hub):
    @torch.no_grad()
    def merge(self):
        books = [dict(one.named_parameters()) for one in self.copies]
        for name, p in self.shared.named_parameters():  # expect: TL117
            p.copy_(torch.stack([book[name] for book in books]).mean(0))


class OfAll(Hub):
    @torch.no_grad()
    def merge(self):
        books = [one.state_dict() for one in self.copies]  # ok: TL116
        for name, value in self.shared.state_dict().items():
            value.copy_(torch.stack([book[name].float() for book in books]).mean(0))  # ok: TL117


class Handed(Hub):
    """Every copy begins as the shared one: nothing is averaged."""

    @torch.no_grad()
    def spread(self):
        for one in self.copies:
            for p, q in zip(one.parameters(), self.shared.parameters()):
                p.copy_(q)  # ok: TL117


def demonstrate():
    x = torch.randn(8, 3) + 3
    for make, follows in ((OfParameters, False), (OfAll, True)):
        hub = make()
        for one in hub.copies:
            one.train()(x)
        hub.merge()
        assert bool(hub.shared[1].running_mean.abs().sum() > 0) is follows, make
    Handed().spread()
