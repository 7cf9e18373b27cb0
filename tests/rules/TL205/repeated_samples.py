"""repeat() makes new memory of as many dimensions as it is given numbers; a permutation behind it is out of order."""

import torch
from torch import nn


class Samples(nn.Module):
    def __init__(self, width=4, count=3):
        super().__init__()
        self.count, self.width = count, width
        self.body = nn.Sequential(*[nn.Linear(6, 8), nn.ReLU()])
        self.mean, self.spread = nn.Linear(8, width), nn.Linear(8, width)

    def encode(self, x):
        hidden = torch.flatten(self.body(x), start_dim=1)
        return [self.mean(hidden), self.spread(hidden)]

    def draw(self, mean, spread):
        return torch.randn_like(spread) * torch.exp(0.5 * spread) + mean

    def decode(self, z):
        return z.view(-1, self.width)  # expect: TL205

    def forward(self, x):
        mean, spread = self.encode(x)
        mean = mean.repeat(self.count, 1, 1).permute(1, 0, 2)
        spread = spread.repeat(self.count, 1, 1).permute(1, 0, 2)
        return self.decode(self.draw(mean, spread))


class Decoded(Samples):
    def decode(self, z):
        return z.reshape(-1, self.width)  # ok: TL205


class InOrder(Samples):
    def decode(self, z):
        return z.view(-1, self.width)  # ok: TL205

    def forward(self, x):
        mean, spread = self.encode(x)
        return self.decode(self.draw(mean.repeat(self.count, 1, 1), spread.repeat(self.count, 1, 1)))


def tiled_rows(x):
    batch, width = x.shape
    return x.tile(3, 1).view(3, batch, width)  # ok: TL205


def tiled_columns(x):
    return x.tile((1, 3)).t().view(-1)  # expect: TL205


def patches(x):
    batch, channels, height, width = x.shape
    return nn.functional.unfold(x, 2).transpose(1, 2).view(-1, channels * 4)  # expect: TL205


def joined_patches(x):
    batch, channels, height, width = x.shape
    return nn.functional.unfold(x, 2).view(batch, -1)  # ok: TL205


def pairs(left, right, width):
    few, many = left.shape[0], right.shape[0]
    both = {"left": left.unsqueeze(0).expand(many, few, -1), "right": right.unsqueeze(1).repeat(1, few, 1)}
    return torch.cat([both["left"].view(-1, width), both["right"].view(-1, width)], -1)  # expect: TL205


def rows_of_pairs(left, many):
    few, width = left.shape
    return left.unsqueeze(0).expand(many, few, width).view(many, -1)  # ok: TL205  what is repeated stays apart


def demonstrate():
    x = torch.rand(5, 6)
    refused = [
        lambda: Samples()(x),
        lambda: tiled_columns(x),
        lambda: patches(torch.rand(2, 3, 4, 4)),
        lambda: pairs(x, torch.rand(3, 6), 6),
    ]
    for call in refused:
        try:
            call()
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    Decoded()(x), InOrder()(x), tiled_rows(x), joined_patches(torch.rand(2, 3, 4, 4)), rows_of_pairs(x, 3)
