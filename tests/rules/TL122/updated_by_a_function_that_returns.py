"""A function of the project takes the statistics and gives the new ones back, as a tuple of its own making."""

import torch
from torch import nn


def moments(x):
    return x.shape[0], x.mean(0), x.var(0, unbiased=False)


def combined(left, right):
    (count, mean, variance) = left
    (more, other, spread) = right
    total = count + more
    new = (count * mean + more * other) / total
    return total, new, (count * variance + more * spread) / total


def updated(x, count, mean, std):
    (total, new, variance) = combined((count, mean, std.square()), moments(x))
    return total, new, variance.sqrt()


class Normalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.empty(0)  # expect: TL122
        self.std = torch.empty(0)  # expect: TL122
        self.count = 0  # todo: note TL122  a sum in a helper of a helper
        self.last = torch.empty(0)  # ok: TL122  nothing reads it

    def _update(self, x):
        if self.count == 0:
            _, self.mean, variance = moments(x)
            self.std = variance.sqrt()
        self.mean = self.mean.to(x.device)
        self.std = self.std.to(x.device)
        self.count, self.mean, self.std = updated(x, self.count, self.mean, self.std)

    def load_statistics(self, state):
        self.mean, self.std = state["mean"], state["std"]

    def forward(self, x):
        if self.training:
            self._update(x)
            _, self.last, _ = moments(x)
        mean, std = self.mean, self.std
        return (x - mean) / std


class Saved(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(dim))  # ok: TL122
        self.register_buffer("std", torch.ones(dim))  # ok: TL122
        self.register_buffer("count", torch.tensor(0.0))  # ok: TL122

    def forward(self, x):
        if self.training:
            self.count, self.mean, self.std = updated(x, self.count, self.mean, self.std)
        return (x - self.mean) / self.std


def counted(pair, x):
    count, _ = pair
    return count + 1, x.mean(0)


class PerBatchInTuple(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.empty(0)  # ok: TL122  each call begins anew

    def forward(self, x):
        _, self.mean = counted((0, self.mean), x)
        return x - self.mean


class PerBatch(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.empty(0)  # ok: TL122  each call begins anew

    def forward(self, x):
        _, self.mean, variance = moments(x)
        return (x - self.mean) / variance.sqrt()


def demonstrate():
    module = Normalised()
    for _ in range(3):
        module(torch.randn(4, 2))
    fresh = Normalised()
    fresh.load_state_dict(module.state_dict())
    x = torch.randn(4, 2)
    module.eval(), fresh.eval()
    try:
        assert not torch.allclose(module(x), fresh(x))
    except RuntimeError:
        pass
    Saved(2)(x), PerBatch()(x), PerBatchInTuple()(x)
