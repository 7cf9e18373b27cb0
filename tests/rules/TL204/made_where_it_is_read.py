"""A property makes its tensor at each read; a cached one keeps it, and is moved by whoever moves it."""

import torch
from torch import nn


class Slopes:
    heads: int

    @property
    def slopes(self):
        return torch.tensor([2.0**-i for i in range(self.heads)])  # expect: TL204

    @property
    def moved_slopes(self):
        return torch.tensor([2.0**-i for i in range(self.heads)])  # ok: TL204

    @property
    def start(self):
        return torch.tensor(0.5)  # ok: TL204  a single number

    def distance(self, n, where):
        return torch.arange(n, device=where)

    def bias(self, scores):
        return self.slopes[:, None] * self.distance(scores.size(-1), scores.device) + self.start

    def moved_bias(self, scores):
        return self.moved_slopes.to(scores.device)[:, None] * self.distance(scores.size(-1), scores.device)


class Attention(Slopes, nn.Module):
    def __init__(self, heads=2):
        super().__init__()
        self.heads = heads

    def forward(self, scores):
        return scores + self.bias(scores) + self.moved_bias(scores)


def demo():
    module = Attention()
    assert module(torch.zeros(2, 3)).shape == (2, 3)
    scores = torch.zeros(2, 3, device="meta")
    assert module.moved_bias(scores).device.type == "meta"
    try:
        module.bias(scores)
        raise AssertionError("the devices were mixed")
    except RuntimeError as error:
        assert "device" in str(error)
