"""Layers keep their penalty as a property; whoever copies the penalties into a new tensor trains nobody with them."""
from collections.abc import Iterable

import torch
from torch import nn
from torch.nn import functional as F


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.spread = nn.Parameter(torch.full((2,), -1.0))
        self.scale = nn.Linear(2, 2)

    @property
    def divergence(self):
        return (self.spread.exp() - self.spread).sum()

    @property
    def width(self):
        return len(self.spread)

    def forward(self, x):
        return self.scale(x) * self.spread.exp()


def noisy_parts(net: nn.Module) -> Iterable[Noisy]:
    return (one for one in net.modules() if isinstance(one, Noisy))


class Bound:
    def __init__(self, net):
        self.net = net

    def regular(self):
        parts = [one.divergence for one in noisy_parts(self.net)]
        return torch.tensor(parts).sum()  # expect: TL305

    def __call__(self, x, y):
        return F.mse_loss(self.net(x), y) + self.regular() / len(x)


class Stacked(Bound):
    def regular(self):
        return torch.stack([one.divergence for one in noisy_parts(self.net)]).sum()

    def report(self):
        return torch.tensor([one.divergence for one in noisy_parts(self.net)])  # ok: TL305  nobody trains with it


class ByWidth(Bound):
    def regular(self):
        return torch.tensor([one.width for one in noisy_parts(self.net)]).sum()  # ok: TL305  numbers


def demonstrate():
    for kind, learns in ((Bound, False), (Stacked, True), (ByWidth, False)):
        net = nn.Sequential(Noisy())
        kind(net)(torch.zeros(3, 2), torch.zeros(3, 2)).backward()
        alone = nn.Sequential(Noisy())
        alone.load_state_dict(net.state_dict())
        F.mse_loss(alone(torch.zeros(3, 2)), torch.zeros(3, 2)).backward()
        assert torch.equal(net[0].spread.grad, alone[0].spread.grad) is not learns, kind
    Stacked(nn.Sequential(Noisy())).report()
