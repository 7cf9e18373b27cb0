"""Freezing, counting, optimising and pairing see only the module's own tensors."""

import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Parameter(torch.zeros(1, 4))
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))

    def freeze(self) -> None:
        for p in self.parameters(recurse=False):  # note: TL110
            p.requires_grad = False

    def size(self) -> int:
        return sum(p.numel() for p in self.parameters(recurse=False))  # note: TL110

    def optimizer(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(False), lr=0.1)  # note: TL110

    def freeze_all(self) -> None:
        for p in self.parameters():  # ok: TL110
            p.requires_grad = False

    def size_of_all(self) -> int:
        return sum(p.numel() for m in self.modules() for p in m.parameters(recurse=False))  # ok: TL110  each module

    def is_on_meta(self) -> bool:
        return any(p.is_meta for p in self.parameters(recurse=False))  # ok: TL110  a look

    def forward(self, x):
        return self.layers(x + self.query)


@torch.no_grad()
def synchronise(source: nn.Module, target: nn.Module) -> None:
    for (_, a), (_, b) in zip(source.named_buffers("", False), target.named_buffers("", False)):  # note: TL110
        b.copy_(a)


@torch.no_grad()
def synchronise_all(source: nn.Module, target: nn.Module) -> None:
    for a, b in zip(source.buffers(), target.buffers()):  # ok: TL110
        b.copy_(a)
