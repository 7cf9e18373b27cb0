"""A clipping rule by percentile looks at the history of norms; on the branch that clips, the gradients are still multiplied by the scale.

source: AutoClip-style rules of audio separation code; NCAR/miles-credit#141, rwth-i6/returnn#1590 kind
rules: [TL406]
"""
from collections import deque
from statistics import median

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Guard:
    def __init__(self, length=16):
        self.past = deque(maxlen=length)

    def norm(self, params):
        return torch.linalg.vector_norm(torch.stack([p.grad.norm() for p in params]))

    def __call__(self, params):
        params = [p for p in params if p.grad is not None]
        self.past.append(float(self.norm(params)))
        return params, median(self.past)


class Stage:
    def __init__(self, net, guard, amp=None):
        self.net, self.guard, self.amp = net, guard, amp
        self.opt = torch.optim.SGD(net.parameters(), lr=0.2)

    def loss(self, x, y):
        with torch.autocast(KIND, dtype=torch.bfloat16, enabled=self.amp is not None):
            return F.mse_loss(self.net(x), y)


class WatchedStage(Stage):
    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.loss(x, y)
        if self.amp is None:
            loss.backward()
            nn.utils.clip_grad_norm_(*self.guard(self.net.parameters()))  # ok: TL406
            self.opt.step()
            return
        self.amp.scale(loss).backward()
        params, bound = self.guard(self.net.parameters())
        bound = min(bound, 1.0)
        nn.utils.clip_grad_norm_(params, max_norm=bound)  # expect: TL406
        self.amp.step(self.opt)
        self.amp.update()


class UnscaledStage(Stage):
    def step(self, x, y):
        self.opt.zero_grad()
        self.amp.scale(self.loss(x, y)).backward()
        self.amp.unscale_(self.opt)
        params, bound = self.guard(self.net.parameters())
        nn.utils.clip_grad_norm_(params, max_norm=min(bound, 1.0))  # ok: TL406
        self.amp.step(self.opt)
        self.amp.update()


def demonstrate():
    def moved(kind, amp=True):
        torch.manual_seed(0)
        net = nn.Linear(3, 1).to(KIND)
        start = net.weight.detach().clone()
        stage = kind(net, Guard(), torch.amp.GradScaler(KIND) if amp else None)
        x = torch.randn(8, 3, device=KIND)
        stage.step(x, x.sum(1, keepdim=True))
        return (net.weight - start).norm().item()

    right = moved(UnscaledStage)
    assert right > 0.05 and moved(WatchedStage) < right / 1000
    assert moved(WatchedStage, amp=False) > 0.05
