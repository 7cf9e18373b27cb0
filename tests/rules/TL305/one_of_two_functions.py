"""A loss is made with one of two functions, by a flag: one of them rounds what the network gave."""

import torch
from torch import nn


def in_steps(angle):
    return angle.to(torch.int32) % 360  # expect: TL305


def smooth(angle):
    return angle - 360 * torch.floor(angle.detach() / 360)  # ok: TL305


def sector(angle):
    return (angle / 45).long()  # ok: TL305  only a report rounds with it


class TurnLoss:
    def __init__(self, wrap):
        self.wrap = wrap

    def __call__(self, out, wanted):
        apart = (self.wrap(out) - wanted).abs()
        return apart.float().mean() + out.square().mean()


def report(net, x):
    return sector(net(x).flatten().abs()).bincount()


def train(net, batches, rounded=False):
    loss = TurnLoss(in_steps if rounded else smooth)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, wanted in batches:
        optimizer.zero_grad()
        loss(net(x), wanted).backward()
        optimizer.step()


def demonstrate():
    net = nn.Linear(2, 1)
    train(net, [(torch.ones(1, 2), torch.ones(1, 1))], rounded=True)
    report(nn.Linear(2, 1), torch.zeros(1, 2))
