"""A trainer makes its score of a class that it is given, and runs it inside a region."""

import torch
import torch.nn.functional as F
from torch import nn


class Score:
    def local(self, t):
        return F.conv2d(t.float(), torch.ones(1, 1, 1, 1))  # expect: TL403

    def __call__(self, a, b):
        return self.local(a * b) - self.local(a)


class PooledScore:
    def local(self, t):
        return F.avg_pool2d(t.float(), 1)  # ok: TL403  a pooling keeps float32

    def __call__(self, a, b):
        return self.local(a * b) - self.local(a)


class Report:
    """Made in sight, and called after the region."""

    def __call__(self, a, b):
        return F.conv2d(a.float() * b, torch.ones(1, 1, 1, 1).float())  # ok: TL403


class Trainer:
    def __init__(self, score, **settings):
        self.net, self.score = nn.Conv2d(1, 1, 1), score(**settings)
        self.report = Report()

    def loss(self, x, y):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = self.net(x)
            close = self.score(out, y)
        return close.mean(), self.report(out, y)


def demonstrate():
    x = torch.rand(1, 1, 4, 4)
    for kind in (Score, PooledScore):
        Trainer(kind).loss(x, x)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert Score().local(x).dtype is torch.bfloat16 and PooledScore().local(x).dtype is torch.float32
