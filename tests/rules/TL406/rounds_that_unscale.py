"""Gradients are unscaled in some rounds only, or twice before the update; classes of one base each have their way."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Engine:
    def __init__(self, net, every=2):
        self.net, self.every, self.count = net, every, 0
        self.table = nn.Linear(2, 1)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.table_opt = torch.optim.SGD(self.table.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")

    def backward(self, x):
        self.scaler.scale(self.net(x).mean()).backward()

    def window_done(self):
        raise NotImplementedError


class SomeRounds(Engine):
    def step(self, x):
        self.backward(x)
        if self.count % self.every == 0:
            self.scaler.unscale_(self.opt)
        clip_grad_norm_(self.net.parameters(), 0.5)  # expect: TL406
        self.scaler.step(self.opt)
        self.scaler.update()
        self.count += 1


class TheSameRounds(Engine):
    def step(self, x):
        self.backward(x)
        if self.count % self.every == 0:
            self.scaler.unscale_(self.opt)
            clip_grad_norm_(self.net.parameters(), 0.5)  # ok: TL406
        self.scaler.step(self.opt)
        self.scaler.update()
        self.count += 1


class BySettings(Engine):
    def step(self, x, use_amp):
        self.backward(x)
        if use_amp:
            self.scaler.unscale_(self.opt)
        clip_grad_norm_(self.net.parameters(), 0.5)  # ok: TL406  no test of the round
        self.scaler.step(self.opt)
        self.scaler.update()


class InnerRounds(Engine):
    def run(self, batches):
        for batch in batches:
            for part in batch:
                self.backward(part)
                self.scaler.unscale_(self.opt)  # expect: TL406
                clip_grad_norm_(self.net.parameters(), 0.5)
            self.scaler.step(self.opt)
            self.scaler.update()


class AfterInnerRounds(Engine):
    def run(self, batches):
        for batch in batches:
            for part in batch:
                self.backward(part)
            self.scaler.unscale_(self.opt)  # ok: TL406
            clip_grad_norm_(self.net.parameters(), 0.5)
            self.scaler.step(self.opt)
            self.scaler.update()


class EachOptimizer(Engine):
    def run(self, batches):
        opts = {"net": self.opt}
        for batch in batches:
            self.backward(batch)
            for opt in opts.values():
                self.scaler.unscale_(opt)  # ok: TL406  another optimizer each time
            for opt in opts.values():
                self.scaler.step(opt)
            self.scaler.update()


class NeverUpdates(Engine):
    def window_done(self):
        self.scaler.step(self.opt)  # expect: TL406
        self.opt.zero_grad()


class Updates(Engine):
    def window_done(self):
        self.scaler.step(self.opt)  # ok: TL406
        self.close()

    def close(self):
        self.scaler.update()


class OneApart(Engine):
    """Another optimizer is stepped by hand; its gradients come from the same loss."""

    def step(self, x):
        self.scaler.scale(self.net(x).mean() + self.table(x).mean()).backward()
        self.scaler.step(self.opt)
        self.table_opt.step()  # expect: TL406
        self.scaler.update()


class OneApartUnscaled(Engine):
    def step(self, x):
        self.table(x).mean().backward()
        self.scaler.scale(self.net(x).mean()).backward()
        self.scaler.step(self.opt)
        self.table_opt.step()  # ok: TL406  a loss of its own
        self.scaler.update()


def demonstrate():
    x = torch.randn(4, 2)
    for make, run in ((InnerRounds, lambda one: one.run([[x, x]])), (NeverUpdates, _two_windows)):
        try:
            run(make(nn.Linear(2, 1)))
            raise AssertionError(make)
        except RuntimeError as error:
            assert "update()" in str(error)
    AfterInnerRounds(nn.Linear(2, 1)).run([[x, x], [x]])
    EachOptimizer(nn.Linear(2, 1)).run([x, x])
    _two_windows(Updates(nn.Linear(2, 1)))
    one = OneApart(nn.Linear(2, 1))
    before = one.table.bias.detach().clone()
    one.step(x)
    assert (one.table.bias - before).norm() > 100


def _two_windows(one):
    for _ in range(2):
        one.backward(torch.randn(4, 2))
        one.window_done()
