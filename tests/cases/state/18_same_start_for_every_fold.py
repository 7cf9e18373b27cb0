"""Cross-validation and learning-rate search: the initial weights, kept to restart from, are the live ones.

source: dvgodoy/PyTorchStepByStep#28, pytorch/tutorials#188, easy-few-shot-learning#140
rules: [TL116]
"""
from __future__ import annotations

import copy
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Record:
    score: float = float("inf")
    weights: dict = field(default_factory=dict)


def epoch(net: nn.Module, rate: float) -> float:
    opt = torch.optim.SGD(net.parameters(), lr=rate)
    loss = net(torch.ones(4, 2)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def cross_validate(net: nn.Module, folds: int = 3) -> list[float]:
    start = net.state_dict()  # expect: TL116
    losses = []
    for _ in range(folds):
        net.load_state_dict(start)
        losses.append(epoch(net, 0.1))
    return losses


def cross_validate_right(net: nn.Module, folds: int = 3) -> list[float]:
    start = copy.deepcopy(net.state_dict())  # ok: TL116
    losses = []
    for _ in range(folds):
        net.load_state_dict(start)
        losses.append(epoch(net, 0.1))
    return losses


class RateFinder:
    def __init__(self, net: nn.Module):
        self.net = net
        self.home = self.remember()

    def remember(self) -> dict:
        return {k: v for k, v in self.net.state_dict().items()}  # expect: TL116

    def losses(self, rates) -> list[float]:
        out = []
        for r in rates:
            self.net.load_state_dict(self.home)
            epoch(self.net, r)
            out.append(epoch(self.net, 0.0))
        return out


class CopyingRateFinder(RateFinder):
    def remember(self):
        return {k: torch.empty_like(v).copy_(v) for k, v in self.net.state_dict().items()}  # ok: TL116


class Plateau:
    """Keeps the best record in a dataclass."""

    def __init__(self, net: nn.Module, rate: float = 0.1):
        self.net, self.rate = net, rate
        self.best = Record()

    def run(self, rounds: int = 3) -> nn.Module:
        for i in range(rounds):
            score = epoch(self.net, self.rate) + (0 if i == 0 else 100)
            if score < self.best.score:
                self.best = Record(score=score, weights=self.net.state_dict())  # expect: TL116
        self.net.load_state_dict(self.best.weights)
        return self.net


class CopyingPlateau(Plateau):
    def run(self, rounds: int = 3):
        for i in range(rounds):
            score = epoch(self.net, self.rate) + (0 if i == 0 else 100)
            if score < self.best.score:
                held = self.net.state_dict()
                self.best = Record(score=score, weights=copy.deepcopy(held))  # ok: TL116
        self.net.load_state_dict(self.best.weights)
        return self.net


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    assert len(set(cross_validate(nn.Linear(2, 1)))) == 3
    assert len(set(cross_validate_right(nn.Linear(2, 1)))) == 1
    for cls, same in ((RateFinder, False), (CopyingRateFinder, True)):
        a, b = cls(nn.Linear(2, 1)).losses([0.05, 0.05])
        assert (abs(a - b) < 1e-7) is same, cls
    for cls, keeps in ((Plateau, False), (CopyingPlateau, True)):
        net = nn.Linear(2, 1)
        ref = copy.deepcopy(net)
        epoch(ref, 0.1)
        assert torch.allclose(cls(net).run().weight, ref.weight) is keeps, cls
