"""Streaming state with a method that starts a new stream: the owner decides when a stream ends."""
import torch
from torch import nn


class Stream(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.hidden = None

    def forward(self, x):
        out = self.mix(x)
        mixed = out if self.hidden is None else out + self.hidden
        self.hidden = out  # ok: TL102  reset() puts it back
        return mixed

    def reset(self) -> None:
        self.hidden = None


class NeverReset(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.hidden = None

    def forward(self, x):
        out = self.mix(x)
        mixed = out if self.hidden is None else out + self.hidden
        self.hidden = out  # expect: TL102
        return mixed


class Metric(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.reset()

    def reset(self) -> None:
        self.seen = torch.zeros(1)

    def forward(self, x):
        error = (x * self.scale).mean().detach()
        self.seen = self.seen + error  # ok: TL102
        return self.seen


def demonstrate():
    stream = Stream()
    for _ in range(2):
        stream(torch.ones(2, 4)).sum().backward()
        stream.reset()
    module = NeverReset()
    module(torch.ones(2, 4)).sum().backward()
    try:
        module(torch.ones(2, 4)).sum().backward()
        raise AssertionError("the graph of the first call is gone")
    except RuntimeError:
        pass
