"""An attribute that is a part of its own last value: where it comes from has no end, and is asked only so far."""

import torch
from torch import nn


class Window(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.kept = [net]

    def forward(self, x):
        self.kept = self.kept[0]
        return self.net(x) + self.kept(x) + self.kept[0](x).item()  # ok: TL305


def train(window, data, optimizer):
    for x, y in data:
        loss = (window(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
