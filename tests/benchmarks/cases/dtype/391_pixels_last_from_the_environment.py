"""Frames come with their channels last; a wrapper permutes them, the convolutions keep those strides and view cannot flatten the result.

source: pixel-based agents (NatureCNN re-implementations), pytorch/examples#836 kind, dmlc/gluon-cv#1618 (permuted video)
rules: [TL205]
"""
import torch
from torch import nn


class Frames:
    """What the environment gives: N, H, W, C in bytes."""

    def __init__(self, size=8, channels=3):
        self.shape = (size, size, channels)

    def batch(self, n):
        raw = torch.randint(0, 256, (n, *self.shape), dtype=torch.uint8)
        return self.order(raw.float() / 255)

    def order(self, frames):
        return frames.permute(0, 3, 1, 2)


class Agent(nn.Module):
    def __init__(self, channels=3, actions=4):
        super().__init__()
        self.convs = nn.Sequential(nn.Conv2d(channels, 4, 3), nn.ReLU(), nn.Conv2d(4, 5, 3), nn.ReLU())
        self.value = nn.Linear(5 * 4 * 4, actions)

    def flat(self, maps):
        return maps.view(maps.shape[0], -1)  # expect: TL205

    def forward(self, frames):
        return self.value(self.flat(self.convs(frames)))

    def act(self, source, n=2):
        return self(source.batch(n)).argmax(-1)


class AgentFlat(Agent):
    def flat(self, maps):
        return torch.flatten(maps, 1)  # ok: TL205


class AgentPooled(Agent):
    """After global pooling the merged dimensions have size one."""

    def __init__(self):
        super().__init__()
        self.pool, self.value = nn.AdaptiveAvgPool2d(1), nn.Linear(5, 4)

    def flat(self, maps):
        return self.pool(maps).view(maps.shape[0], -1)  # ok: TL205


class AgentPerPixel(Agent):
    """Merges height and width only, which stay adjacent in channels-last memory."""

    def __init__(self):
        super().__init__()
        self.value = nn.Linear(5, 4)

    def flat(self, maps):
        n, c, h, w = maps.shape
        return maps.view(n, c, h * w).mean(2)  # ok: TL205


def demonstrate():
    torch.manual_seed(0)
    try:
        Agent().act(Frames())
        raise AssertionError("view flattened channels-last maps")
    except RuntimeError as err:
        assert "view size is not compatible" in str(err), err
    for cls in (AgentFlat, AgentPooled, AgentPerPixel):
        assert cls().act(Frames()).shape == (2,), cls
