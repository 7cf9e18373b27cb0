"""Converted at every read, an index only, without dimensions: true and harmless."""

import torch
from torch import nn

MEAN = torch.tensor([0.5, 0.4, 0.3])  # note: TL113
ORDER = torch.tensor([2, 1, 0])  # note: TL113
FLOOR = torch.tensor(1e-6)  # note: TL113
LIKE = torch.zeros(3)  # ok: TL113  only its dtype is read


class Prepare(nn.Module):
    def forward(self, x):
        x = x.to(LIKE.dtype)
        return torch.maximum(x[..., ORDER] - MEAN.to(x.device), FLOOR)


def demonstrate():
    Prepare()(torch.ones(2, 3))
