"""Relative positions: near offsets have a bucket each, far ones share logarithmic buckets; the table of buckets stays floating.

source: T5-style relative biases re-written by hand ("Expected tensor for argument #1 'indices' to have one of ... Long, Int")
rules: [TL201]
"""
import math

import torch
from torch import nn


class Buckets:
    """A mixin: the subclass says how many buckets there are and how the far ones are rounded."""

    total, horizon = 8, 32

    def settle(self, far):
        return far

    def table(self, length):
        near = self.total // 2
        gap = (torch.arange(length)[:, None] - torch.arange(length)[None]).abs()
        room = self.total - near
        step = room / math.log(self.horizon / near)
        far = near + ((gap.clamp(min=1) / near).log() * step).floor().clamp(max=room - 1)  # expect: TL201
        return torch.where(gap < near, gap, self.settle(far))


class Bias(Buckets, nn.Module):
    def __init__(self, heads=2, length=16):
        super().__init__()
        self.register_buffer("where", self.table(length), persistent=False)
        self.weights = nn.Embedding(self.total, heads)

    def forward(self, scores):
        n = scores.size(-1)
        return scores + self.weights(self.where[:n, :n]).permute(2, 0, 1)  # use: TL201


class WholeBuckets:
    total, horizon = 8, 32

    def table(self, length):
        near = self.total // 2
        gap = (torch.arange(length)[:, None] - torch.arange(length)[None]).abs()
        room = self.total - near
        step = room / math.log(self.horizon / near)
        far = near + ((gap.clamp(min=1) / near).log() * step).floor().clamp(max=room - 1).to(gap)  # ok: TL201
        return torch.where(gap < near, gap, far)


class BiasWhole(WholeBuckets, nn.Module):
    def __init__(self, heads=2, length=16):
        super().__init__()
        self.register_buffer("where", self.table(length), persistent=False)
        self.weights = nn.Embedding(self.total, heads)

    def forward(self, scores):
        n = scores.size(-1)
        return scores + self.weights(self.where[:n, :n]).permute(2, 0, 1)  # ok: TL201


class BiasThreshold(nn.Module):
    """bucketize() and searchsorted() take floating values and give integers."""

    def __init__(self, heads=2):
        super().__init__()
        self.register_buffer("edges", torch.logspace(0, 1.5, 7), persistent=False)
        self.weights = nn.Embedding(8, heads)

    def forward(self, scores):
        at = torch.arange(scores.size(-1), device=scores.device)
        gap = (at[:, None] - at[None]).abs().float()
        return scores + self.weights(torch.bucketize(gap, self.edges)).permute(2, 0, 1)  # ok: TL201


def demonstrate():
    torch.manual_seed(0)
    scores = torch.randn(1, 2, 12, 12)
    assert Bias().where.dtype is torch.float32
    try:
        Bias()(scores)
        raise AssertionError("floating buckets were looked up")
    except RuntimeError as err:
        assert "indices" in str(err), err
    for cls in (BiasWhole, BiasThreshold):
        assert cls()(scores).shape == scores.shape
