"""Losses are weighed by shares of their own values: a share is no term of the sum, and needs no gradient."""
import torch
from torch import nn
from torch.nn import functional as F


class Weigher:
    def shares(self, terms):
        now = torch.tensor([float(one.detach()) for one in terms])  # ok: TL305
        return len(now) * F.softmax(now / 2.0, dim=0)

    def __call__(self, terms):
        column = torch.as_tensor(list(terms))  # expect: TL305
        return (self.shares(terms) * column).sum().requires_grad_()


class StackedWeigher(Weigher):
    def __call__(self, terms):
        return (self.shares(terms) * torch.stack(list(terms))).sum()  # ok: TL305


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(4, 1), nn.Linear(4, 1)

    def terms(self, x, want):
        return [F.l1_loss(self.left(x), want), F.mse_loss(self.right(x), want)]


def train(weigh: Weigher, steps: int = 2):
    net = Heads()
    before = net.left.weight.detach().clone()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        weigh(net.terms(torch.ones(2, 4), torch.zeros(2, 1))).backward()
        optimizer.step()
    return (net.left.weight - before).abs().sum()


def demonstrate():
    assert train(Weigher()) == 0
    assert train(StackedWeigher()) > 0
