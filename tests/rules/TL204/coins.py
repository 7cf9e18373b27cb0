"""A coin that only an `if` asks is compared with a number: a tensor is told by what is known of it."""

import torch
from torch import nn


class Layers(nn.Module):
    def __init__(self, dim=4, rate=0.1):
        super().__init__()
        self.rate = rate
        self.learned = nn.Parameter(torch.full((1,), rate))
        self.net = nn.Linear(dim, dim)

    def skipped(self, x, before, rate):
        if self.training:
            coin = torch.empty(1).uniform_(0, 1) < rate  # ok: TL204  a share of the layers
            if coin:
                return before
            return nn.functional.dropout(x, rate) + before
        return x + before

    def skipped_as_learned(self, x, before):
        coin = torch.rand(1) < self.learned  # expect: TL204
        if coin:
            return before
        return x + before

    def scaled_by_a_coin(self, x, rate):
        coin = torch.rand(1) < rate.detach()  # expect: TL204
        return x * coin

    def forward(self, x, depth):
        y = self.skipped(self.net(x), x, self.rate * float(depth) / (depth + 1))
        if torch.rand(1) < self.rate and not torch.rand(1) > depth:  # ok: TL204
            return y
        return self.skipped_as_learned(y, x)


def demonstrate():
    layers, x = Layers().to("meta"), torch.zeros(2, 4, device="meta")
    layers.skipped(x, x, 0.5), layers.skipped(x, x, 1.0)
    for call in (
        lambda: layers.skipped_as_learned(x, x),
        lambda: layers.scaled_by_a_coin(x, layers.learned),
    ):
        try:
            call()
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "device" in str(error)
