"""Weights that a context manager of the object swaps, and networks that are known by what is asked of them."""

import contextlib
import copy

import torch
from torch import nn


class Namer:
    def __init__(self, net: nn.Module):
        self.student = net
        self.names_of_things = copy.deepcopy(net)

    @contextlib.contextmanager
    def first_weights(self):
        kept = [p.detach().clone() for p in self.student.parameters()]
        for p in self.student.parameters():
            p.data.zero_()
        yield
        for p, old in zip(self.student.parameters(), kept):
            p.data.copy_(old)

    def compared(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            now = self.student(x)
            with torch.no_grad(), self.first_weights():  # expect: TL408
                return now - self.student(x)

    def compared_apart(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            now = self.student(x)
        with torch.no_grad(), self.first_weights():  # ok: TL408  a region of its own
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return now - self.student(x)

    def named(self, x):
        return self.names_of_things(x).softmax(-1)

    def rounds(self, x, found):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for weights in found:
                self.named(x)
                self.names_of_things.load_state_dict(weights)  # expect: TL408

    def rounds_of_regions(self, x, found):
        for weights in found:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                self.named(x)
            self.names_of_things.load_state_dict(weights)  # ok: TL408


class Recorded:
    """An object with the same methods that is called and runs no layers."""

    def __init__(self, schedule):
        self.schedule = schedule

    def rounds(self, x, found):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for state in found:
                self.schedule.step(x)
                self.schedule.load_state_dict(state)  # ok: TL408  nobody runs it


def demonstrate():
    namer, x = Namer(nn.Linear(3, 2)), torch.randn(4, 3)
    assert namer.compared(x).abs().max() == 0  # the zeroed weights are not seen
    assert namer.compared_apart(x).abs().max() > 0
