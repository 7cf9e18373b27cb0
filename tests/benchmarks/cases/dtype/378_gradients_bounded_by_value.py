"""A recurrent trainer bounds each gradient by hand with clamp_, right after the scaled backward; nothing has been unscaled yet.

source: rwth-i6/returnn#1590 (unscale before noise and clipping), NCAR/miles-credit#141
rules: [TL406]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Amp:
    """Mixin: what the mixed-precision part of a step looks like."""

    def arm(self, net, lr):
        self.net = net.to(KIND)
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)
        self.amp = torch.amp.GradScaler(KIND)

    def loss(self, x, y):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            out = self.net(x)[0][:, -1, :1]
        return (out.float() - y).square().mean()

    def finish(self):
        self.amp.step(self.opt)
        self.amp.update()
        self.opt.zero_grad()


class Bounded(Amp):
    bound = 0.05

    def step(self, x, y):
        self.amp.scale(self.loss(x, y)).backward()
        for p in self.net.parameters():
            if p.grad is not None:
                p.grad.data.clamp_(-self.bound, self.bound)  # expect: TL406
        self.finish()


class BoundedRight(Bounded):
    def step(self, x, y):
        self.amp.scale(self.loss(x, y)).backward()
        self.amp.unscale_(self.opt)
        for p in self.net.parameters():
            p.grad.data.clamp_(-self.bound, self.bound)  # ok: TL406
        self.finish()


class BoundedWeights(Bounded):
    """Bounds the weights after the step, which has nothing to do with the scale."""

    def step(self, x, y):
        self.amp.scale(self.loss(x, y)).backward()
        self.finish()
        with torch.no_grad():
            for p in self.net.parameters():
                p.clamp_(-2.0, 2.0)  # ok: TL406


class BoundedByScale(Bounded):
    """Multiplies the bound by the scale instead."""

    def step(self, x, y):
        self.amp.scale(self.loss(x, y)).backward()
        bound = self.bound * self.amp.get_scale()
        for p in self.net.parameters():
            p.grad.clamp_(-bound, bound)  # ok: TL406
        self.finish()


def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        trainer = cls()
        trainer.arm(nn.GRU(3, 4, batch_first=True), lr=1.0)
        before = [p.detach().clone() for p in trainer.net.parameters()]
        trainer.step(torch.randn(8, 5, 3, device=KIND), torch.randn(8, 1, device=KIND))
        return sum((p - b).norm().item() for p, b in zip(trainer.net.parameters(), before))

    right = moved(BoundedRight)
    assert right > 0.05 and moved(Bounded) < right / 1000
    assert abs(moved(BoundedByScale) - right) < 1e-3 and moved(BoundedWeights) > 0.05
