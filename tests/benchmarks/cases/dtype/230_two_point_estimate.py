"""Zeroth-order tuning: the loss at w + z and at w - z are taken in one region; both come out equal and nothing is ever learned.

source: X-GenGroup/Flow-Factory#186 kind; MeZO trainers that perturb `param.data` under the autocast of compute_loss
rules: [TL408]
"""
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class TwoPoint:
    size = 0.05

    def __init__(self, net, lr=0.02):
        self.net, self.lr, self.seed = net, lr, 0

    def nudge(self, times):
        torch.manual_seed(self.seed)
        for p in self.net.parameters():
            p.data = p.data + times * self.size * torch.randn_like(p)  # use: TL408

    def loss(self, x, y):
        return F.mse_loss(self.net(x).float(), y)

    @torch.no_grad()
    def slope(self, x, y):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            self.nudge(1)
            up = self.loss(x, y)
            self.nudge(-2)  # expect: TL408
            down = self.loss(x, y)
            self.nudge(1)
        return ((up - down) / (2 * self.size)).item()

    def step(self, x, y):
        self.seed += 1
        slope = self.slope(x, y)
        self.nudge(-self.lr * slope / self.size)
        return slope


class TwoPointApart(TwoPoint):
    @contextmanager
    def at(self, times):
        self.nudge(times)
        try:
            with torch.autocast(KIND, dtype=torch.bfloat16):
                yield
        finally:
            self.nudge(-times)

    @torch.no_grad()
    def slope(self, x, y):
        found = []
        for side in (1, -1):
            with self.at(side):  # ok: TL408
                found.append(self.loss(x, y))
        return ((found[0] - found[1]) / (2 * self.size)).item()


def demonstrate():
    def slopes(cls):
        torch.manual_seed(0)
        net = nn.Linear(4, 2).to(KIND)
        x = torch.randn(16, 4, device=KIND)
        tuner = cls(net)
        return [tuner.step(x, x[:, :2]) for _ in range(3)]

    assert slopes(TwoPoint) == [0.0, 0.0, 0.0]
    assert all(s != 0.0 for s in slopes(TwoPointApart))
