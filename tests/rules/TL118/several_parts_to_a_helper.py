"""A helper puts all that it is given to sleep: *parts, or a list of them."""
import torch
from torch import nn


def tower(dim: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim))


class Starred(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.image, self.text, self.head = tower(dim), tower(dim), nn.Linear(dim, dim)
        self.still(self.image, self.text)

    def still(self, *parts):
        for part in parts:
            part.eval().requires_grad_(False)  # expect: TL118

    def forward(self, x):
        return self.head(self.image(x) + self.text(x))


class Listed(nn.Module):
    def __init__(self, dim: int = 3, both: bool = False):
        super().__init__()
        self.image, self.text, self.head = tower(dim), tower(dim), nn.Linear(dim, dim)
        parts = [self.image, self.text] if both else [self.image]
        self.still(*parts)

    def still(self, *parts):
        for part in parts:
            part.requires_grad_(False)
            part.eval()  # expect: TL118

    def forward(self, x):
        return self.head(self.image(x) + self.text(x))


class WithoutModes(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.image, self.text, self.head = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.still(self.image, self.text)

    def still(self, *parts):
        for part in parts:
            part.eval().requires_grad_(False)  # ok: TL118

    def forward(self, x):
        return self.head(self.image(x) + self.text(x))


class Pinned(Starred):
    def train(self, mode: bool = True):
        super().train(mode)
        self.still(self.image, self.text)
        return self

    def still(self, *parts):
        for part in parts:
            part.eval().requires_grad_(False)  # ok: TL118


def demonstrate():
    for make, sleeps in ((Starred, False), (Listed, False), (WithoutModes, False), (Pinned, True)):
        module = make()
        module.train()
        assert module.image.training is not sleeps, make
        module(torch.ones(4, 3)).sum().backward()
