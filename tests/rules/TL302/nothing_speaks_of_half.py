"""A file in which everything is float32: -1e9 is a fine mask value there."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4)

    def forward(self, x, pad):
        scores = self.project(x) @ x.mT
        scores[:, 0] = 1e9  # ok: TL302
        return scores.masked_fill(pad, -1e9).softmax(-1)  # ok: TL302

    def clipped(self, x):
        return torch.where(x > 0, x, -1e9) / (x.sum() + 1e-12)  # ok: TL302


def exact(x, pad):
    x = x.to(torch.bfloat16)
    return x.masked_fill(pad, -1e9)  # ok: TL302  bfloat16 has the range


def too_exact(x, pad):
    x = torch.zeros(3, dtype=torch.bfloat16)
    return x.masked_fill(pad, torch.finfo(torch.float32).min)  # expect: TL302


def demonstrate():
    x, pad = torch.rand(3, 4), torch.tensor([True, False, False])
    Attention()(x, pad), Attention().clipped(x), exact(x[0, :3], pad)
    try:
        too_exact(x, pad)
        raise AssertionError("fits")
    except RuntimeError as error:
        assert "overflow" in str(error)
