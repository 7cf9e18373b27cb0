"""A module that is frozen as a whole is a part of another that learns: the train() of that one reaches it."""

import torch
from torch import nn


def scorer(drop: float) -> nn.Sequential:
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(drop))


class GivenLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = scorer(0.5)
        self.features.eval()  # expect: TL118
        self.features.requires_grad_(False)

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class BuiltLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = scorer(0.5).eval()  # expect: TL118

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class StillLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        self.features.eval()  # ok: TL118  computes the same in both modes

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class AloneLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = scorer(0.5)
        self.features.eval()  # ok: TL118  nobody has it as a part

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class GuardedLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = scorer(0.5)
        self.features.eval()  # ok: TL118  its owner puts it to sleep again

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class HeldLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = scorer(0.5)
        self.features.eval()  # ok: TL118  its owner is no module

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class Task(nn.Module):
    def __init__(self, loss: nn.Module):
        super().__init__()
        self.net = nn.Linear(3, 3)
        self.loss = loss

    def forward(self, x):
        return self.loss(self.net(x), x)


class BuildingTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 3)
        self.loss = BuiltLoss()

    def forward(self, x):
        return self.loss(self.net(x), x)


class GuardingTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 3)
        self.loss = GuardedLoss()

    def train(self, mode: bool = True):
        super().train(mode)
        self.loss.eval()
        return self

    def forward(self, x):
        return self.loss(self.net(x), x)


class Trainer:
    def __init__(self):
        self.net = nn.Linear(3, 3)
        self.loss = HeldLoss()


def tasks():
    losses = GivenLoss(), StillLoss()
    return [Task(loss) for loss in losses]


def alone():
    return AloneLoss()


def demonstrate():
    given, still = tasks()
    for task, wakes in ((given, True), (still, True), (BuildingTask(), True), (GuardingTask(), False)):
        assert task.train().loss.features.training is wakes
    x = torch.randn(4, 3)
    assert torch.equal(still.train().loss(x, x + 1), still.eval().loss(x, x + 1))
    assert not alone().features.training and not Trainer().loss.features.training


if __name__ == "__main__":
    demonstrate()
