"""A first-order meta learner blends two whole state_dicts; the batch count is an integer and its fractional step is cut off.

source: Reptile gists that blend `weights_before` and `weights_after` over all names; vicFigure/EAutoDet#5 kind
rules: [TL301]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn


def body():
    return nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4, momentum=None), nn.ReLU(), nn.Linear(4, 1))


class Outer:
    def __init__(self, net, rate=0.1, inner=5):
        self.net, self.rate, self.inner = net, rate, inner

    def snapshot(self):
        return copy.deepcopy(self.net.state_dict())

    def adapt(self, task):
        solver = torch.optim.SGD(self.net.parameters(), lr=0.02)
        for _ in range(self.inner):
            x, y = task()
            solver.zero_grad()
            F.mse_loss(self.net(x), y).backward()
            solver.step()

    def blend(self, before, after):
        return {n: before[n] + (after[n] - before[n]) * self.rate for n in before}  # expect: TL301

    def step(self, task):
        before = self.snapshot()
        self.adapt(task)
        self.net.load_state_dict(self.blend(before, self.snapshot()))


class OuterFixed(Outer):
    def blend(self, before, after):
        mixed = dict(after)
        for name, old in before.items():
            if old.dtype.is_floating_point:
                mixed[name] = torch.lerp(old, after[name], self.rate)  # ok: TL301
        return mixed


class OuterNamed(Outer):
    def blend(self, before, after):
        mixed = dict(after)
        for name, _ in self.net.named_parameters():
            mixed[name] = before[name] + (after[name] - before[name]) * self.rate  # ok: TL301
        return mixed


def run(kind, steps=3):
    torch.manual_seed(0)
    outer = kind(body())

    def task():
        return torch.randn(8, 2), torch.randn(8, 1)

    for _ in range(steps):
        outer.step(task)
    return outer.net[1].num_batches_tracked


def demonstrate():
    bad = run(Outer)
    assert bad.dtype is torch.int64 and bad.item() == 0, "0 + 5 * 0.1 is cut off again and again"
    assert run(OuterFixed).item() == run(OuterNamed).item() == 15
