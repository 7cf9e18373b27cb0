"""Convolutions, pooling and batch norm answer in channels-last where they are given channels-last."""

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.conv = nn.Conv2d(6, 4, 2)
        self.norm = nn.BatchNorm2d(4)
        self.linear = nn.Linear(4 * 2 * 3, classes)

    def forward(self, x):
        x = self.norm(self.conv(x)).relu()
        return self.linear(x.view(x.size(0), -1))  # expect: TL205


class Correlation(nn.Module):
    """Builds its map with the channels innermost, and turns it for the convolution that follows."""

    def forward(self, left, right):
        batch, channels, height, width = left.shape
        right = right.view(batch, channels, height * width)
        left = left.view(batch, channels, height * width).transpose(1, 2)
        scores = torch.bmm(left, right).view(batch, height, width, height * width)
        return scores.permute(0, 3, 1, 2)


class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.correlation = Correlation()
        self.head = nn.Sequential(nn.Conv2d(6, 4, 2), nn.ReLU())
        self.regression = Head()

    def forward(self, left, right):
        scores = self.correlation(left, right)
        return self.regression(scores)

    def flat(self, left, right):
        scores = self.correlation(left, right)
        return self.head(scores).view(scores.size(0), -1)  # expect: TL205

    def flat_copy(self, left, right):
        scores = self.correlation(left, right).contiguous()
        return self.head(scores).view(scores.size(0), -1)  # ok: TL205

    def by_pixel(self, left, right):
        scores = self.head(self.correlation(left, right))
        batch, channels, height, width = scores.shape
        return scores.permute(0, 2, 3, 1).view(-1, channels)  # ok: TL205  channels-last turned back


class Flat(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(6, 4, 2)
        self.pool = nn.AdaptiveAvgPool2d(1)

    def forward(self, x):
        x = self.conv(x)
        return x.view(x.size(0), -1)  # ok: TL205  nobody turns its input

    def pooled(self, x):
        x = self.pool(self.conv(x.permute(0, 3, 1, 2)))
        return x.view(x.size(0), -1)  # ok: TL205  one element for each channel


def demonstrate():
    matcher = Matcher()
    left = torch.rand(1, 5, 2, 3), torch.rand(1, 5, 2, 3)
    large = torch.rand(2, 5, 2, 3), torch.rand(2, 5, 2, 3)
    matcher.regression.conv = nn.Conv2d(6, 4, 1)
    matcher.head[0] = nn.Conv2d(6, 4, 1)
    for call in (matcher, matcher.flat):
        try:
            call(*large)
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    matcher.flat_copy(*large)
    matcher.by_pixel(*large)
    Flat()(torch.rand(2, 6, 4, 4))
    Flat().pooled(torch.rand(2, 4, 4, 6))
    assert left
