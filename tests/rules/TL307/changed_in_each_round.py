"""A tensor that the loop changes in place: each round converts other values."""
import torch
from torch import nn


class Trace(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("trace", torch.zeros(4))
        self.register_buffer("scale", torch.ones(4))

    def forward(self, xs):
        found = []
        for x in xs:
            self.trace.mul_(0.9).add_(x)
            found.append(self.trace.double())  # ok: TL307
            found.append(self.scale.double())  # note: TL307
        return found


def decayed(xs):
    trace = torch.zeros(4)
    found = []
    for x in xs:
        trace.mul_(0.9)
        found.append(trace.double() + x)  # ok: TL307
    return found


def by_items(xs):
    seen = torch.zeros(4)
    found = []
    for at, x in enumerate(xs):
        seen[at] = x.sum()
        found.append(seen.double())  # ok: TL307
    return found


def through_a_view(xs):
    seen = torch.zeros(4)
    found = []
    for at, x in enumerate(xs):
        seen[at].copy_(x.sum())
        found.append(seen.double())  # ok: TL307
    return found


def filled_before(xs):
    seen = torch.zeros(4)
    for at, x in enumerate(xs):
        seen[at] = x.sum()
    found = []
    for x in xs:
        found.append(seen.double() + x)  # note: TL307
    return found
