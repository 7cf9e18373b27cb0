"""The buffers are taken along: beside the parameters, in another method, by the caller, or with the whole state."""

import copy

import torch
from torch import nn


class Pair:
    def __init__(self):
        self.online = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.target = copy.deepcopy(self.online)

    def evaluate(self, x: torch.Tensor) -> torch.Tensor:
        return self.target.eval()(x)


class Beside(Pair):
    @torch.no_grad()
    def update(self, rate: float) -> None:
        for t, s in zip(self.target.parameters(), self.online.parameters()):  # ok: TL117
            t.lerp_(s, rate)
        for t, s in zip(self.target.buffers(), self.online.buffers()):
            t.copy_(s)


class InAnotherMethod(Pair):
    @torch.no_grad()
    def update(self, rate: float) -> None:
        for t, s in zip(self.target.parameters(), self.online.parameters()):  # ok: TL117
            t.lerp_(s, rate)
        self.copy_statistics()

    def copy_statistics(self) -> None:
        source = dict(self.online.named_buffers())
        for name, t in self.target.named_buffers():
            t.copy_(source[name])


class WholeState(Pair):
    @torch.no_grad()
    def update(self, rate: float) -> None:
        source = self.online.state_dict()
        for name, t in self.target.state_dict().items():  # ok: TL117
            if t.is_floating_point():
                t.lerp_(source[name], rate)
            else:
                t.copy_(source[name])


class ParametersOnly(Pair):
    @torch.no_grad()
    def update(self, rate: float) -> None:
        for t, s in zip(self.target.parameters(), self.online.parameters()):  # expect: TL117
            t.lerp_(s, rate)


@torch.no_grad()
def blend(model: nn.Module, averaged: nn.Module, rate: float) -> None:
    for t, s in zip(averaged.parameters(), model.parameters()):  # ok: TL117  the caller copies the buffers
        t.lerp_(s, rate)


def train(model: nn.Module, averaged: nn.Module) -> None:
    for _ in range(3):
        blend(model, averaged, 0.1)
        for t, s in zip(averaged.buffers(), model.buffers()):
            t.copy_(s)
