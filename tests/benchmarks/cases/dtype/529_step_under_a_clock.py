"""A training step runs under several contexts of one `with`: a clock and autocast; backward is inside, an energy term was computed wide.

source: pytorch/benchmark#873 (only the forward belongs under amp), pytorch/pytorch#175241 (backward under autocast)
rules: [TL402]
"""
import contextlib
import time

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Clock(contextlib.ContextDecorator):
    def __init__(self):
        self.spent = 0.0

    def __enter__(self):
        self.began = time.perf_counter()
        return self

    def __exit__(self, *exc):
        self.spent += time.perf_counter() - self.began
        return False


class Fit:
    def __init__(self, net, energy):
        self.net, self.energy, self.clock = net.to(KIND), energy.to(KIND), Clock()
        self.opt = torch.optim.SGD([*net.parameters(), *energy.parameters()], lr=0.01)

    def loss(self, x, y):
        out = self.net(x)
        with torch.autocast(KIND, enabled=False):
            wide = self.energy(out.float()).square().mean()
        return (out.float() - y).square().mean() + wide

    def step(self, x, y):
        raise NotImplementedError

    def apply(self):
        self.opt.step()
        self.opt.zero_grad()


class InsideFit(Fit):
    def step(self, x, y):
        with self.clock, torch.autocast(KIND, dtype=torch.bfloat16):
            loss = self.loss(x, y)
            loss.backward()  # expect: TL402
        self.apply()
        return loss.detach()


class OutsideFit(Fit):
    def step(self, x, y):
        with self.clock:
            with torch.autocast(KIND, dtype=torch.bfloat16):
                loss = self.loss(x, y)
            loss.backward()  # ok: TL402
        self.apply()
        return loss.detach()


class ClockedFit(Fit):
    """The clock alone is around everything; the region belongs to the loss."""

    @torch.autocast(KIND, dtype=torch.bfloat16)
    def loss(self, x, y):
        return super().loss(x, y)

    def step(self, x, y):
        with self.clock:
            loss = self.loss(x, y)
            loss.backward()  # ok: TL402
        self.apply()
        return loss.detach()


def demonstrate():
    x, y = torch.randn(4, 3, device=KIND), torch.randn(4, 2, device=KIND)

    def slope(cls):
        torch.manual_seed(0)
        net, energy = nn.Linear(3, 2), nn.Linear(2, 2)
        fit = cls(net, energy)
        fit.apply = lambda: None
        fit.step(x, y)
        assert fit.clock.spent > 0
        return energy.weight.grad

    inside, outside, clocked = slope(InsideFit), slope(OutsideFit), slope(ClockedFit)
    assert torch.equal(outside, clocked)
    assert not torch.equal(inside, outside)  # the wide part's gradient was rounded to bf16
    assert torch.equal(inside, inside.bfloat16().float())
