"""A helper that does something unless the two networks that it gets are one: of two objects that is not known."""

import torch
from torch import nn

held = []


def wake(net, average):
    if net is not average:
        net.train()


def wake_given(net, average=None):
    if average is not None:
        net.train()


def of_two(batches):
    net, average = nn.Sequential(nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 2))
    net.eval()  # ok: TL304  it trains again
    wake(net, average)
    for x in batches:
        held.append(net(x))


def given_two(batches):
    net, average = nn.Sequential(nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 2))
    net.eval()  # ok: TL304
    wake_given(net, average)
    for x in batches:
        held.append(net(x))


def given_none(batches):
    net = nn.Sequential(nn.Linear(2, 2))
    net.eval()  # expect: TL304
    wake_given(net)
    for x in batches:
        held.append(net(x))


def demonstrate():
    batches = [torch.ones(1, 2)]
    for run in (of_two, given_two, given_none):
        held.clear()
        run(batches)
        assert held[-1].requires_grad, run


if __name__ == "__main__":
    demonstrate()
