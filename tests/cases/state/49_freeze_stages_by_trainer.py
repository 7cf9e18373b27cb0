"""Stages are frozen by a method; one trainer repeats it after every train(), the other calls it once before the epochs.

source: pgniewko/gt-pyg#112, ultralytics/ultralytics#8753 (freeze after train()), isht7/pytorch-deeplab-resnet#39
rules: [TL118]
"""
from __future__ import annotations

from typing import Iterable

import torch
from torch import nn

NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.SyncBatchNorm)


def norms_of(parts: Iterable[nn.Module]):
    for part in parts:
        yield from (m for m in part.modules() if isinstance(m, NORMS))


class Staged(nn.Module):
    def __init__(self, width: int = 3, depth: int = 3):
        super().__init__()
        self.stages = nn.ModuleList(nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width)) for _ in range(depth))

    def forward(self, x):
        for s in self.stages:
            x = s(x)
        return x


class OnceStaged(Staged):
    def freeze(self, upto: int) -> None:
        for norm in norms_of(self.stages[:upto]):
            norm.eval()  # expect: TL118
            norm.requires_grad_(False)


class RepeatedStaged(Staged):
    def freeze(self, upto: int) -> None:
        for norm in norms_of(self.stages[:upto]):
            norm.eval()  # ok: TL118


def steps(net: Staged, opt, n: int = 2) -> None:
    for _ in range(n):
        loss = net(torch.randn(6, 3) * 2 + 3).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def finetune_once(net: OnceStaged, epochs: int = 2) -> None:
    net.freeze(2)
    opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.01)
    for _ in range(epochs):
        net.train()
        steps(net, opt)


def finetune_repeated(net: RepeatedStaged, epochs: int = 2) -> None:
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(epochs):
        net.train()
        net.freeze(2)
        steps(net, opt)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, tune, frozen in ((OnceStaged, finetune_once, False), (RepeatedStaged, finetune_repeated, True)):
        net = cls()
        before = net.stages[0][1].running_var.clone()
        tune(net)
        assert torch.equal(net.stages[0][1].running_var, before) is frozen, cls
        assert net.stages[2][1].training
