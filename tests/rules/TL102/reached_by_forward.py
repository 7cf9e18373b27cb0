"""A method that forward reaches stores for it; a method that only the caller uses is no part of a call."""
import torch
from torch import nn


class Layered(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.last = None
        self.prompt = None

    def remember(self, out):
        self.last = out  # expect: TL102

    def set_prompt(self, prompt):
        self.prompt = self.mix(prompt)  # ok: TL102  set by the caller, not by forward

    def step(self, x):
        out = self.mix(x)
        if self.last is not None:
            out = out + self.last
        self.remember(out)
        return out

    def forward(self, x):
        out = self.step(x)
        return out if self.prompt is None else out + self.prompt


class Plain:
    """No module: its forward() is what its author makes of it."""

    def __init__(self, net: nn.Module):
        self.net = net
        self.last = 0.0

    def forward(self, x):
        out = self.net(x) + self.last
        self.last = out  # ok: TL102
        return out


def demonstrate():
    module = Layered()
    module(torch.ones(2, 4)).sum().backward()
    try:
        module(torch.ones(2, 4)).sum().backward()
        raise AssertionError("the graph of the first call is gone")
    except RuntimeError:
        pass
