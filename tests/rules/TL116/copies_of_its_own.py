"""A slow copy is made by deepcopy, with or without further calls on it, and is written from the live network."""

import copy

import torch
from torch import nn


class Slow:
    def __init__(self, net: nn.Module):
        self.net, self.rate = copy.deepcopy(net).requires_grad_(False), 0.5

    @torch.no_grad()
    def follow(self, net):
        fast = dict(net.named_parameters())  # ok: TL116  another network than the copy
        for name, weight in self.net.named_parameters():  # note: TL117
            weight.lerp_(fast[name], self.rate)


class Same:
    def __init__(self, net: nn.Module):
        self.net, self.rate = net.requires_grad_(False), 0.5

    @torch.no_grad()
    def follow(self, net):
        fast = dict(net.named_parameters())  # expect: TL116
        for name, weight in self.net.named_parameters():
            weight.lerp_(fast[name], self.rate)


def demonstrate():
    net = nn.Linear(2, 2)
    Slow(net).follow(net), Same(net).follow(net)
