"""Relative distances are counted down with a step of -1.0; the table they address is an Embedding, not a sinusoid.

source: memory-transformer code where arange(n - 1, -1, -1.0) was written for sinusoids and reused for a learned table
rules: [TL201]
"""
import torch
from torch import nn


class Distances(nn.Module):
    def __init__(self, dim=8, longest=32):
        super().__init__()
        self.dim, self.longest = dim, longest

    def bias(self, pos):
        raise NotImplementedError

    def forward(self, q, k):
        pos = torch.arange(k.size(1) - 1, -1, -1.0, device=k.device)  # expect: TL201
        return q @ k.transpose(1, 2) + self.bias(pos.clamp(max=self.longest - 1))


class LearnedDistances(Distances):
    def __init__(self, dim=8, longest=32):
        super().__init__(dim, longest)
        self.table = nn.Embedding(longest, 1)

    def bias(self, pos):
        return self.table(pos).squeeze(-1)  # use: TL201


class SinusoidDistances(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.register_buffer("inv_freq", 1 / (10000 ** (torch.arange(0.0, dim, 2.0) / dim)), persistent=False)
        self.out = nn.Linear(dim // 2, 1)

    def forward(self, q, k):
        pos = torch.arange(k.size(1) - 1, -1, -1.0, device=k.device)  # ok: TL201
        return q @ k.transpose(1, 2) + self.out(torch.outer(pos, self.inv_freq).sin()).squeeze(-1)


class WholeDistances(nn.Module):
    def __init__(self, longest=32):
        super().__init__()
        self.longest = longest
        self.table = nn.Embedding(longest, 1)

    def forward(self, q, k):
        pos = torch.arange(k.size(1) - 1, -1, -1, device=k.device)
        return q @ k.transpose(1, 2) + self.table(pos.clamp(max=self.longest - 1)).squeeze(-1)  # ok: TL201


class CastDistances(WholeDistances):
    def forward(self, q, k):
        pos = torch.arange(k.size(1) - 1, -1, -1.0, device=k.device).type(torch.int64)
        return q @ k.transpose(1, 2) + self.table(pos.clamp(max=self.longest - 1)).squeeze(-1)  # ok: TL201


def demonstrate():
    q, k = torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    try:
        LearnedDistances()(q, k)
        raise AssertionError("floating ids accepted by Embedding")
    except RuntimeError as err:
        assert "scalar type" in str(err), err
    for good in (SinusoidDistances(), WholeDistances(), CastDistances()):
        assert good(q, k).shape == (2, 5, 5)
