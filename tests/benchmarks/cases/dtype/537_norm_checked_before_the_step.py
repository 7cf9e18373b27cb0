"""A guard skips a step when the norm is not finite; step and update() stand in one branch, after the gradients were unscaled.

source: microsoft/Swin-Transformer#311 kind, Haian-Jin/LVSM#19 (update() skipped with the step)
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Engine:
    def __init__(self, net, limit=1.0):
        self.net, self.limit, self.bad = net.to(KIND), limit, 0
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=32.0)

    def backward(self, x, y):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = F.mse_loss(self.net(x), y)
        self.scaler.scale(loss).backward()

    def norm(self):
        self.scaler.unscale_(self.opt)  # use: TL406
        return nn.utils.clip_grad_norm_(self.net.parameters(), self.limit)  # ok: TL406

    def run(self, batches):
        raise NotImplementedError


class ElseEngine(Engine):
    def run(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            self.backward(x, y)
            if torch.isfinite(self.norm()):
                self.scaler.step(self.opt)  # use: TL406
                self.scaler.update()  # expect: TL406
            else:
                self.bad += 1


class AlwaysEngine(Engine):
    def run(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            self.backward(x, y)
            if torch.isfinite(self.norm()):
                self.scaler.step(self.opt)
            else:
                self.bad += 1
            self.scaler.update()  # ok: TL406


class TrustingEngine(Engine):
    """The scaler skips by itself what is not finite; the norm is only counted."""

    def run(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            self.backward(x, y)
            self.bad += int(not torch.isfinite(self.norm()))
            self.scaler.step(self.opt)
            self.scaler.update()  # ok: TL406


def demonstrate():
    x, y = torch.randn(4, 3, device=KIND), torch.randn(4, 1, device=KIND)
    spoiled = x.clone()
    spoiled[0, 0] = float("inf")
    for cls, works in ((ElseEngine, False), (AlwaysEngine, True), (TrustingEngine, True)):
        engine = cls(nn.Linear(3, 1))
        try:
            engine.run([(x, y), (spoiled, y), (x, y)])
            assert engine.bad == 1
            ok = True
        except RuntimeError as err:
            assert "unscale_() has already been called" in str(err), err
            ok = False
        assert ok is works, cls
