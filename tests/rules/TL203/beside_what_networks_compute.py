"""A float64 tensor meets what a network computed, in a function of a script as in a module; or is kept as a buffer."""
import numpy as np
import torch
from torch import nn


def explored(actor, seen, spread):
    mean = actor(seen)
    noise = np.random.normal(0, spread, size=tuple(mean.shape))
    return mean + torch.from_numpy(noise)  # expect: TL203


def explored_alike(actor, seen, spread):
    mean = actor(seen)
    noise = np.random.normal(0, spread, size=tuple(mean.shape))
    return mean + torch.from_numpy(noise).to(mean)  # ok: TL203


def scattered(points, spread):
    return points + torch.from_numpy(np.random.normal(0, spread, size=3))  # ok: TL203  no network made the points


class Shifted(nn.Module):
    def __init__(self, prior):
        super().__init__()
        self.register_buffer("shift", self.made(np.log(np.bincount(prior) / 10)))

    @staticmethod
    def made(array):
        return torch.tensor(array)  # expect: TL203

    def forward(self, logits):
        return logits + self.shift


class ShiftedNarrow(nn.Module):
    def __init__(self, prior):
        super().__init__()
        self.register_buffer("shift", torch.tensor(np.log(np.bincount(prior) / 10)))  # ok: TL203  read as float32
        self.register_buffer("unread", torch.tensor(np.log(np.bincount(prior) / 10)))  # ok: TL203

    def forward(self, logits):
        return logits + self.shift[None].float()


def demonstrate():
    actor, seen = nn.Linear(2, 2), torch.rand(3, 2)
    assert explored(actor, seen, 0.1).dtype == torch.float64
    assert explored_alike(actor, seen, 0.1).dtype == torch.float32
    assert scattered(torch.zeros(3), 0.1).dtype == torch.float64
    assert Shifted(np.array([0, 0, 1]))(seen).dtype == torch.float64
    assert ShiftedNarrow(np.array([0, 0, 1]))(seen).dtype == torch.float32
