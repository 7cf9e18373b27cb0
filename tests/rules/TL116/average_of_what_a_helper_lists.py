"""A helper lists the parameters of which an average begins: what it gives is the model's own, unless it clones."""

from collections import OrderedDict

import torch
from torch import nn


def trained(net: nn.Module):
    return ((name, p) for name, p in net.named_parameters() if p.requires_grad)


def yielded(net: nn.Module):
    for name, p in net.named_parameters():
        if p.requires_grad:
            yield name, p


def cloned(net: nn.Module):
    return ((name, p.detach().clone()) for name, p in net.named_parameters())


class Average:
    def __init__(self, net: nn.Module, decay: float = 0.9):
        self.decay = decay
        self.shadow = self.start(net)

    def start(self, net):
        raise NotImplementedError

    @torch.no_grad()
    def update(self, net):
        for name, p in trained(net):
            self.shadow[name].mul_(self.decay).add_(p, alpha=1 - self.decay)


class OfTheHelper(Average):
    def start(self, net):
        return OrderedDict((name, p.detach()) for name, p in trained(net))  # expect: TL116


class OfTheGenerator(Average):
    def start(self, net):
        return {name: p.data for name, p in yielded(net)}  # expect: TL116


class ClonedHere(Average):
    def start(self, net):
        return OrderedDict((name, p.detach().clone()) for name, p in trained(net))  # ok: TL116


class ClonedInTheHelper(Average):
    def start(self, net):
        return dict(cloned(net))  # ok: TL116


class MadeAnew(Average):
    def start(self, net):
        return OrderedDict((name, p.detach()) for name, p in trained(net))  # ok: TL116

    @torch.no_grad()
    def update(self, net):
        for name, p in trained(net):
            self.shadow[name] = torch.lerp(p, self.shadow[name], self.decay)
