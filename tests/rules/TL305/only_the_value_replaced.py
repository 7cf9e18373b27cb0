"""A helper makes a number of a tensor: what it takes out of the loss may be there a second time, with its gradient."""

import torch
from torch import nn


def number_of(x):
    return x if isinstance(x, (int, float)) else x.item()  # ok: TL305  the difference has the gradient of the surrogate


def plain_number(x):
    return x if isinstance(x, (int, float)) else x.item()  # expect: TL305


class SurrogateLoss(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x, shown):
        surrogate = self.net(x).abs().mean()
        return shown + (surrogate - number_of(surrogate))


class PenalisedLoss(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x, y):
        loss = (self.net(x) - y).pow(2).mean()
        return loss + plain_number(self.net(x).abs().mean())


def train(net, data, optimizer):
    surrogate, penalised = SurrogateLoss(net), PenalisedLoss(net)
    for x, y in data:
        loss = surrogate(x, 3.0) + penalised(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def demo():
    net = nn.Linear(2, 1)
    shown = SurrogateLoss(net)(torch.ones(1, 2), 3.0)
    shown.backward()
    assert shown.item() == 3.0
    assert net.weight.grad.abs().sum() > 0
