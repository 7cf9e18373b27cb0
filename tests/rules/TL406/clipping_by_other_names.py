"""Clipping under another name: a partial, a kept function, gradients that are assigned or multiplied by hand."""

import functools

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

shorten = functools.partial(nn.utils.clip_grad_norm_, max_norm=0.5)
look = functools.partial(nn.utils.clip_grad_norm_, max_norm=float("inf"))


class Rounds:
    def __init__(self, net):
        self.net = net
        self.bound = clip_grad_norm_
        self.opt = torch.optim.SGD(net.parameters(), lr=1.0)
        self.scaler = torch.amp.GradScaler("cpu")

    def begin(self, x):
        self.scaler.scale(self.net(x).mean()).backward()

    def finish(self):
        self.scaler.step(self.opt)
        self.scaler.update()


class Early(Rounds):
    def by_partial(self, x):
        self.begin(x)
        shorten(self.net.parameters())  # expect: TL406
        self.finish()

    def by_attribute(self, x):
        self.begin(x)
        self.bound(self.net.parameters(), 0.5)  # expect: TL406
        self.finish()

    def by_assignment(self, x):
        self.begin(x)
        for p in self.net.parameters():
            p.grad = torch.clamp(p.grad, -0.1, 0.1)  # expect: TL406
        self.finish()

    def by_product(self, x):
        self.begin(x)
        norm = torch.stack([p.grad.norm() for p in self.net.parameters()]).norm()
        for p in self.net.parameters():
            p.grad *= 0.1 / norm  # expect: TL406
        self.finish()

    def by_list(self, x):
        self.begin(x)
        torch._foreach_clamp_max_([p.grad for p in self.net.parameters()], 0.1)  # expect: TL406
        self.finish()


class Late(Rounds):
    def begin(self, x):
        super().begin(x)
        self.scaler.unscale_(self.opt)

    def by_partial(self, x):
        self.begin(x)
        shorten(self.net.parameters())  # ok: TL406
        self.finish()

    def by_assignment(self, x):
        self.begin(x)
        for p in self.net.parameters():
            p.grad = torch.clamp(p.grad, -0.1, 0.1)  # ok: TL406
        self.finish()


class Watched(Rounds):
    def by_partial(self, x):
        self.begin(x)
        norm = look(self.net.parameters())  # ok: TL406  the norm alone
        self.finish()
        return norm

    def by_product(self, x):
        self.begin(x)
        for p in self.net.parameters():
            p.grad *= 0.5  # ok: TL406  a share of a loss, no bound
        self.finish()


def demonstrate():
    for name in ("by_partial", "by_attribute", "by_product"):
        torch.manual_seed(0)
        one = Early(nn.Linear(4, 1))
        before, x = one.net.weight.detach().clone(), torch.randn(8, 4)
        getattr(one, name)(x)
        assert (one.net.weight - before).norm() < 1e-3, name
    Late(nn.Linear(4, 1)).by_partial(torch.randn(8, 4))
    Watched(nn.Linear(4, 1)).by_product(torch.randn(8, 4))
