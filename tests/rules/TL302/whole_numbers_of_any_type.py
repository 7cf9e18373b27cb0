"""Positions that take the type of lengths are whole numbers; the file is no more written for half than without them."""
import torch
from torch import nn


def reached(lengths, width):
    return torch.arange(width).type_as(lengths)[None, :] < lengths[:, None]


class Scores(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Linear(dim, dim)

    def forward(self, x, lengths):
        scores = self.query(x) @ x.transpose(1, 2)
        outside = ~reached(lengths, x.shape[1])
        return scores.masked_fill(outside[:, None, :], -1e18).softmax(-1)  # ok: TL302


def shares(x):
    return x / (x.sum(-1, keepdim=True) + 1e-12)  # ok: TL302


def demonstrate():
    lengths = torch.tensor([1, 2])
    assert not reached(lengths, 2).is_floating_point() and torch.arange(2).type_as(lengths).dtype is torch.int64
    assert Scores(3)(torch.rand(2, 2, 3), lengths)[0, :, 1].eq(0).all() and shares(torch.ones(1, 2)).isfinite().all()
