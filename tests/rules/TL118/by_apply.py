"""Parts put to sleep by apply(), by a loop over modules() or by a comprehension wake up with train()."""

import torch
from torch import nn


def asleep(module):
    if isinstance(module, nn.BatchNorm2d):
        module.eval()


class Applied(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(dim, dim, 1), nn.BatchNorm2d(dim))
        self.head = nn.Linear(dim, dim)
        for parameter in self.backbone.parameters():
            parameter.requires_grad = False
        self.backbone.train(False)  # expect: TL118

    def forward(self, x):
        return self.head(self.backbone(x).mean((2, 3)))


class Pinned(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(dim, dim, 1), nn.BatchNorm2d(dim))
        self.head = nn.Linear(dim, dim)
        self.backbone.train(False)  # ok: TL118

    def train(self, mode=True):
        super().train(mode)
        self.backbone.train(False)
        return self

    def forward(self, x):
        return self.head(self.backbone(x).mean((2, 3)))


class Looped(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(dim, dim, 1), nn.BatchNorm2d(dim))
        self.head = nn.Linear(dim, dim)
        self.freeze()

    def freeze(self):
        for part in self.backbone.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.eval()  # expect: TL118

    def forward(self, x):
        return self.head(self.backbone(x).mean((2, 3)))


class Stateless(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.act = nn.ReLU().eval()  # ok: TL118  a part without a mode
        self.head = nn.Linear(dim, dim)

    def forward(self, x):
        return self.head(self.act(x))


def demonstrate():
    for owner, awake in ((Applied, True), (Pinned, False), (Looped, True)):
        assert owner(2).train().backbone[1].training is awake
    Stateless(2)(torch.ones(1, 2))
