"""Gradients are unscaled when their norm is to be logged; the clipping below happens in every step, logged or not.

source: languini-kitchen/languini-kitchen#7 (unscale before logging), pytorch/examples#1196
rules: [TL406]
"""
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grad_norm_ as clip

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def total_norm(params):
    return torch.stack([p.grad.norm() for p in params if p.grad is not None]).norm().item()


class Engine:
    def __init__(self, net, every=2, most=0.5):
        self.net, self.every, self.most = net.to(KIND), every, most
        self.state = SimpleNamespace(step=0, norms=[])
        self.opt = torch.optim.SGD(self.net.parameters(), lr=1.0)
        self.scaler = torch.amp.GradScaler(KIND)

    def backward(self, x, y):
        self.opt.zero_grad()
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = F.mse_loss(self.net(x), y)
        self.scaler.scale(loss).backward()

    def watched(self):
        return self.state.step % self.every == 0

    def step(self, x, y):
        self.backward(x, y)
        if self.watched():
            self.scaler.unscale_(self.opt)
            self.state.norms.append(total_norm(self.net.parameters()))
        clip(self.net.parameters(), max_norm=self.most)  # expect: TL406
        self.scaler.step(self.opt)
        self.scaler.update()
        self.state.step += 1


class EngineAlways(Engine):
    def step(self, x, y):
        self.backward(x, y)
        self.scaler.unscale_(self.opt)
        if self.watched():
            self.state.norms.append(total_norm(self.net.parameters()))
        clip(self.net.parameters(), max_norm=self.most)  # ok: TL406
        self.scaler.step(self.opt)
        self.scaler.update()
        self.state.step += 1


class EngineClipsWatched(Engine):
    """Clipping is part of the branch that unscales; elsewhere nothing is clipped."""

    def step(self, x, y):
        self.backward(x, y)
        if self.most and not self.watched():
            self.scaler.unscale_(self.opt)
            clip(self.net.parameters(), max_norm=self.most)  # ok: TL406
        self.scaler.step(self.opt)
        self.scaler.update()
        self.state.step += 1


def demonstrate():
    def paces(cls):
        torch.manual_seed(0)
        engine, x = cls(nn.Linear(4, 1)), torch.randn(16, 4, device=KIND)
        y, out = x.sum(1, keepdim=True) * 3, []
        for _ in range(2):
            before = engine.net.weight.detach().clone()
            engine.step(x, y)
            out.append((engine.net.weight - before).norm().item())
        return out

    watched, unwatched = paces(Engine)
    assert watched > 0.1 and unwatched < 1e-3, (watched, unwatched)
    assert min(paces(EngineAlways)) > 0.1 and min(paces(EngineClipsWatched)) > 0.1
