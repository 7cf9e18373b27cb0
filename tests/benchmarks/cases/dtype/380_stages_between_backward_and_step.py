"""A trainer runs a table of stages; the clip stage is a partial of clip_grad_norm_ and comes before the stage that knows the scaler.

source: allenai/allennlp#5426, TorchSSL/TorchSSL#59 (clipping stage before unscale)
rules: [TL406]
"""
import functools

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"
shorten = functools.partial(nn.utils.clip_grad_norm_, max_norm=0.5)


class Stages:
    order = ("clear", "measure", "limit", "move")

    def __init__(self, net, scaler=None):
        self.net = net.to(KIND)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=1.0)
        self.scaler = scaler or torch.amp.GradScaler(KIND)

    def clear(self, x, y):
        self.opt.zero_grad()

    def measure(self, x, y):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = F.l1_loss(self.net(x), y)
        self.scaler.scale(loss).backward()

    def limit(self, x, y):
        shorten(self.net.parameters())  # ok: TL406

    def move(self, x, y):
        self.scaler.step(self.opt)
        self.scaler.update()

    def run(self, x, y):
        self.clear(x, y)
        self.measure(x, y)
        self.scaler.unscale_(self.opt)
        self.limit(x, y)
        self.move(x, y)


class Hasty(Stages):
    def run(self, x, y):
        self.clear(x, y)
        self.measure(x, y)
        shorten(self.net.parameters())  # expect: TL406
        self.move(x, y)


class Sorted(Stages):
    """The stage itself unscales."""

    def limit(self, x, y):
        self.scaler.unscale_(self.opt)
        shorten(parameters=self.net.parameters())  # ok: TL406

    def run(self, x, y):
        for name in self.order:
            getattr(self, name)(x, y)


class Plain(Stages):
    """Full precision: no scaler is near this backward."""

    def run(self, x, y):
        self.clear(x, y)
        F.l1_loss(self.net(x), y).backward()
        shorten(self.net.parameters())  # ok: TL406
        self.opt.step()  # ok: TL406


def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        stages, x = cls(nn.Linear(4, 1)), torch.randn(8, 4, device=KIND)
        before = stages.net.weight.detach().clone()
        stages.run(x, x.sum(1, keepdim=True) * 4)
        return (stages.net.weight - before).norm().item()

    assert moved(Hasty) < 1e-3
    assert min(moved(c) for c in (Stages, Sorted, Plain)) > 0.1
