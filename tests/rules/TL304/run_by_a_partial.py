"""A partial of a method runs the network: its call is one of the method."""

import functools

import torch
from torch import nn


class Index:
    def __init__(self, net: nn.Module):
        self.net = net
        self.rows = []

    def embed(self, x, scale):
        return self.net(x) * scale

    def fill(self, batches):
        self.net.eval()  # expect: TL304
        embed = functools.partial(self.embed, scale=2.0)
        for x in batches:
            self.rows.append(embed(x))

    def fill_without_a_graph(self, batches):
        self.net.eval()  # ok: TL304
        embed = functools.partial(self.embed, scale=2.0)
        with torch.no_grad():
            for x in batches:
                self.rows.append(embed(x))

    def measure(self, batches):
        self.net.eval()  # ok: TL304
        size = functools.partial(self.size, 2)
        for x in batches:
            self.rows.append(size(x))

    def size(self, factor, x):
        return factor * x.shape[0]


def demonstrate():
    index = Index(nn.Linear(2, 2))
    batches = [torch.ones(1, 2)]
    index.fill(batches)
    index.fill_without_a_graph(batches)
    index.measure(batches)
    assert [getattr(row, "requires_grad", None) for row in index.rows] == [True, False, None]
