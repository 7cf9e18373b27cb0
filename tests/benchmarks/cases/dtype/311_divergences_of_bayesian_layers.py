"""Bayesian layers keep their divergence as a property; the trainer gathers them from modules() into a fresh tensor.

source: kengz/SLM-Lab#133 (torch.tensor creates a tensor detached from the graph), carried over to variational layers
rules: [TL305]
"""
from typing import Iterable

import torch
import torch.nn.functional as F
from torch import nn


class NoisyLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.mean = nn.Parameter(torch.randn(n_out, n_in) * 0.1)
        self.spread = nn.Parameter(torch.full((n_out, n_in), -3.0))

    @property
    def divergence(self):
        var = self.spread.exp().square()
        return 0.5 * (var + self.mean.square() - 1 - 2 * self.spread).sum()

    def forward(self, x):
        w = self.mean + self.spread.exp() * torch.randn_like(self.mean)
        return F.linear(x, w)


def noisy_parts(net: nn.Module) -> Iterable[NoisyLinear]:
    return (m for m in net.modules() if isinstance(m, NoisyLinear))


class Bound:
    """Evidence bound: data term plus the summed divergences over the size of the data."""

    def __init__(self, net, size):
        self.net, self.size = net, size

    def regular(self):
        parts = [m.divergence for m in noisy_parts(self.net)]
        return torch.tensor(parts).sum()  # expect: TL305

    def __call__(self, x, y):
        return F.mse_loss(self.net(x), y) + self.regular() / self.size


class BoundFixed(Bound):
    def regular(self):
        parts = [m.divergence for m in noisy_parts(self.net)]
        return torch.stack(parts).sum()  # ok: TL305

    def report(self):
        # numbers for a log: nothing is trained with them
        return torch.tensor([float(m.divergence) for m in noisy_parts(self.net)])  # ok: TL305


def gradient_of_spread(bound):
    torch.manual_seed(0)
    net = nn.Sequential(NoisyLinear(3, 4), nn.ReLU(), NoisyLinear(4, 1))
    b = bound(net, size=1)
    torch.manual_seed(1)
    b(torch.zeros(6, 3), torch.zeros(6, 1)).backward()
    return net[0].spread.grad, b


def demonstrate():
    bad, _ = gradient_of_spread(Bound)
    assert bad is None or bad.abs().sum() == 0  # zero input: only the divergence could train the first layer
    good, fixed = gradient_of_spread(BoundFixed)
    assert good.abs().sum() > 0
    assert fixed.report().shape == (2,)
