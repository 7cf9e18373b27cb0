"""A loss module owns a frozen network in eval mode, the task owns the loss, and train() of the task reaches all the way down.

source: Lightning-AI/pytorch-lightning#15062, lightly-ai/lightly#1438; perceptual losses inside training modules
rules: [TL118]
"""
from __future__ import annotations

import torch
from torch import nn


def scorer(drop: float) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4), nn.Dropout(drop))


class FeatureLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = scorer(0.5)
        for p in self.features.parameters():
            p.requires_grad_(False)
        self.features.eval()  # expect: TL118

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class PinnedFeatureLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = scorer(0.5).requires_grad_(False).eval()  # ok: TL118

    def train(self, mode: bool = True):
        super().train(mode)
        self.features.eval()
        return self

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class HiddenFeatureLoss(nn.Module):
    """Kept out of the module tree, so nobody's train() finds it."""

    def __init__(self):
        super().__init__()
        net = scorer(0.5).requires_grad_(False)
        net.eval()  # ok: TL118
        self.hidden = [net]  # use: TL105

    def forward(self, a, b):
        return (self.hidden[0](a) - self.hidden[0](b)).square().mean()


class EdgeFeatureLoss(nn.Module):
    """Convolutions and activations only: eval and train mode are the same."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.features.eval()  # ok: TL118
        self.features.requires_grad_(False)

    def forward(self, a, b):
        return (self.features(a) - self.features(b)).square().mean()


class Task(nn.Module):
    def __init__(self, loss: nn.Module):
        super().__init__()
        self.net = nn.Conv2d(3, 3, 1)
        self.loss = loss

    def training_step(self, x):
        return self.loss(self.net(x), x)


def fit(task: Task, data, epochs: int = 2) -> Task:
    opt = torch.optim.SGD(task.net.parameters(), lr=0.1)
    for _ in range(epochs):
        task.train()
        for x in data:
            opt.zero_grad()
            task.training_step(x).backward()
            opt.step()
    return task


def main() -> list[Task]:
    data = [torch.rand(2, 3, 6, 6) for _ in range(2)]
    losses = FeatureLoss(), PinnedFeatureLoss(), HiddenFeatureLoss(), EdgeFeatureLoss()
    return [fit(Task(loss), data) for loss in losses]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    bad, pinned, hidden, edge = (t.loss for t in main())
    assert bad.features.training and bad.features[1].num_batches_tracked > 0
    assert not pinned.features.training and pinned.features[1].num_batches_tracked == 0
    assert not hidden.hidden[0].training
    x, y = torch.rand(1, 3, 6, 6), torch.rand(1, 3, 6, 6)
    assert torch.equal(edge.train()(x, y), edge.eval()(x, y))
    assert not torch.equal(bad.train()(x, y), bad.train()(x, y)), "a loss with random numbers in it"
