"""A Parameter begins with the detached value of another one: it is learned by itself, and nothing is lost."""
import torch
from torch import nn
from torch.nn import Parameter


def steps(optimizer, weight, count):
    for _ in range(count):
        optimizer.zero_grad()
        (weight**3).sum().backward()
        optimizer.step()


def resumed(lr):
    weight = Parameter(torch.linspace(-1, 1, 4))
    optimizer = torch.optim.SGD([weight], lr=lr)
    steps(optimizer, weight, 3)
    again = Parameter(weight.detach().clone())  # ok: TL305
    other = torch.optim.SGD([again], lr=lr)
    steps(other, again, 2)
    return weight, again


def by_hand(net: nn.Module, x, lr):
    start = nn.Parameter(net(x).detach())  # ok: TL305
    optimizer = torch.optim.SGD([start], lr=lr)
    loss = start.square().sum()
    loss.backward()
    optimizer.step()
    return start


def lost(net: nn.Module, x, lr):
    start = net(x).detach()  # expect: TL305
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    loss = start.square().sum() + net(x).sum()
    loss.backward()
    optimizer.step()
    return start


def demonstrate():
    weight, again = resumed(0.1)
    assert not torch.equal(weight, again)
    net, x = nn.Linear(2, 1), torch.ones(1, 2)
    before = net(x).detach()
    assert not torch.equal(by_hand(net, x, 0.1), before) and torch.equal(net(x), before)
    weights = net.weight.detach().clone()
    lost(net, x, 0.1)
    assert torch.allclose(weights - net.weight, torch.full((1, 2), 0.1))
