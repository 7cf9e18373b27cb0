"""A helper that gets the tensor and writes into it; one that only reads it."""
import torch
from torch import nn


def ema_(average, new, decay: float = 0.9):
    average.data.mul_(decay).add_(new, alpha=1 - decay)


def distance(center, x):
    return (x - center).abs()


class Clusters(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.center = torch.zeros(dim)  # expect: TL122
        self.register_buffer("size", torch.ones(dim), persistent=False)  # expect: TL122
        self.register_buffer("fixed", torch.ones(dim), persistent=False)  # ok: TL122
        self.register_buffer("saved", torch.ones(dim))  # ok: TL122

    def forward(self, x):
        found = distance(self.center, x) / self.size + distance(self.fixed, x) - self.saved
        if self.training:
            ema_(self.center, x.detach().mean(0))
            ema_(self.size, x.detach().abs().sum(0))
            ema_(self.saved, x.detach().abs().sum(0))
        return found


def merged(mean, count, x):
    total = count + len(x)
    return mean + (x.mean(0) - mean) * len(x) / total, total


def shifted(tail, x):
    return torch.cat([tail, x])[-2:]


class Whitened(nn.Module):
    """The training loop calls update(), and there is no forward at all."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.mean = torch.zeros(dim)  # expect: TL122
        self.count = torch.ones(())  # expect: TL122
        self.tail = torch.zeros(2, dim)  # ok: TL122  a window of the last rows

    def update(self, x):
        self.mean, self.count = merged(self.mean, self.count, x)
        self.tail = shifted(self.tail, x)

    def normalize(self, x):
        return (x - self.mean) / self.count.sqrt() + self.tail.mean(0)


class Contrast(nn.Module):
    """A memory that goes round, by a cursor of its own."""

    def __init__(self, dim: int = 3, size: int = 4):
        super().__init__()
        self.encoder = nn.Linear(dim, dim)
        self.queue = torch.zeros(size, dim)  # expect: TL122
        self.scratch = torch.zeros(size, dim)  # ok: TL122  filled anew by each call
        self.cursor = 0  # todo: note TL122  the bounds of a slice are no part of what is followed

    @torch.no_grad()
    def enqueue(self, keys):
        start = self.cursor
        self.queue[start : start + len(keys)] = keys.abs()
        self.cursor = (start + len(keys)) % len(self.queue)

    def forward(self, x):
        self.scratch[: len(x)] = x.detach().abs()
        out = self.encoder(x) @ self.queue.t().clone() + self.scratch.sum()
        self.enqueue(self.encoder(x).detach())
        return out


def demonstrate():
    whitened, contrast = Whitened(), Contrast()
    whitened.update(torch.ones(2, 3))
    contrast(torch.ones(2, 3))
    assert (whitened.mean > 0).all()
    assert contrast.cursor == 2
    assert not whitened.state_dict()
    assert "queue" not in contrast.state_dict()
    module = Clusters()
    module(torch.ones(2, 3))
    assert (module.center > 0).all()
    assert (module.size > 1).all()
    assert set(module.state_dict()) == {"saved"}
