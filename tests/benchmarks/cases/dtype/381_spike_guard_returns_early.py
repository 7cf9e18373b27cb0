"""A guard against gradient spikes returns before the step, after unscale_ was called; update() is left out as well.

source: Haian-Jin/LVSM#19 kind ("unscale_() has already been called on this optimizer since the last update()")
rules: [TL406]
"""
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Spikes:
    def __init__(self, factor=3.0, memory=8):
        self.factor, self.seen = factor, deque(maxlen=memory)

    def strange(self, norm):
        usual = sum(self.seen) / len(self.seen) if self.seen else norm
        self.seen.append(norm)
        return norm > self.factor * usual


class Fit:
    def __init__(self, net):
        self.net, self.spikes, self.skipped = net.to(KIND), Spikes(), 0
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler(KIND)

    def gradients(self, x, y):
        self.opt.zero_grad()
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = F.mse_loss(self.net(x), y)
        self.scaler.scale(loss).backward()

    def norm(self):
        self.scaler.unscale_(self.opt)  # use: TL406
        return nn.utils.clip_grad_norm_(self.net.parameters(), 1.0).item()  # ok: TL406

    def step(self, x, y):
        self.gradients(x, y)
        if self.spikes.strange(self.norm()):
            self.skipped += 1
            return  # use: TL406
        self.scaler.step(self.opt)  # use: TL406
        self.scaler.update()  # expect: TL406


class FitAlwaysUpdates(Fit):
    def step(self, x, y):
        self.gradients(x, y)
        if self.spikes.strange(self.norm()):
            self.skipped += 1
            self.scaler.update()
            return  # ok: TL406
        self.scaler.step(self.opt)
        self.scaler.update()


class FitFinally(Fit):
    def step(self, x, y):
        self.gradients(x, y)
        try:
            if self.spikes.strange(self.norm()):
                self.skipped += 1
                return  # ok: TL406
            self.scaler.step(self.opt)
        finally:
            self.scaler.update()


class FitSkipsBefore(Fit):
    """Decides on the loss, before anything was unscaled."""

    def step(self, x, y):
        if y.abs().max() > 50:
            self.skipped += 1
            return  # ok: TL406
        self.gradients(x, y)
        self.norm()
        self.scaler.step(self.opt)
        self.scaler.update()


def demonstrate():
    def run(cls):
        torch.manual_seed(0)
        fit, x = cls(nn.Linear(4, 1)), torch.randn(8, 4, device=KIND)
        for size in (1, 1, 100, 1):
            fit.step(x, size * x.sum(1, keepdim=True))
        return fit.skipped

    try:
        run(Fit)
        raise AssertionError("unscale_ ran twice without an update between")
    except RuntimeError as err:
        assert "unscale_() has already been called" in str(err)
    assert [run(c) for c in (FitAlwaysUpdates, FitFinally, FitSkipsBefore)] == [1, 1, 1]
