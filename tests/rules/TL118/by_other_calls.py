"""eval() in a chain, of a local that is registered afterwards, of several parts in a loop."""

import torch
from torch import nn


class Chained(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        encoder = nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim))
        encoder.requires_grad_(False).eval()  # expect: TL118
        self.encoder = encoder
        self.head = nn.Linear(dim, dim)

    def forward(self, x):
        return self.head(self.encoder(x))


class Several(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(dim, dim), nn.Dropout())
        self.second = nn.Sequential(nn.Linear(dim, dim), nn.Dropout())
        self.head = nn.Linear(dim, dim)
        for part in (self.first, self.second):
            part.eval()  # expect: TL118
            for parameter in part.parameters():
                parameter.requires_grad_(False)

    def forward(self, x):
        return self.head(self.first(x) + self.second(x))


class Guarded(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim))
        self.head = nn.Linear(dim, dim)
        self.encoder.eval()  # ok: TL118  forward repeats it

    def forward(self, x):
        self.encoder.eval()
        return self.head(self.encoder(x))


class Unregistered(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        teacher = nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim))
        object.__setattr__(self, "teacher", teacher.eval())  # ok: TL118  train() does not reach it
        self.head = nn.Linear(dim, dim)

    def forward(self, x):
        return self.head(self.teacher(x))


def demonstrate():
    assert Chained(2).train().encoder[1].training
    assert Several(2).train().first[1].training
    Guarded(2).train()(torch.ones(1, 2))
    assert not Unregistered(2).train().teacher[1].training
