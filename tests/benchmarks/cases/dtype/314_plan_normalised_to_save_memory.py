"""Optimal transport plans are normalised through .data after exp(), whose backward reads that very memory: wrong gradients.

source: forum threads on .data edits of outputs; memory-saving Sinkhorn iterations, own construction
rules: [TL305]
"""
import torch
from torch import nn


def rounds_in_place(plan, rounds):
    for _ in range(rounds):
        plan.data.div_(plan.data.sum(1, keepdim=True))  # expect: TL305
        plan.data.div_(plan.data.sum(0, keepdim=True))  # expect: TL305
    return plan


def rounds_out_of_place(plan, rounds):
    for _ in range(rounds):
        plan = plan / plan.sum(1, keepdim=True)  # ok: TL305
        plan = plan / plan.sum(0, keepdim=True)
    return plan


class Matcher(nn.Module):
    def __init__(self, rounds, balance):
        super().__init__()
        self.left, self.right = nn.Linear(3, 2), nn.Linear(3, 2)
        self.rounds, self.balance = rounds, balance

    def cost(self, a, b):
        return (self.left(a)[:, None] - self.right(b)[None]).square().sum(-1)

    def forward(self, a, b):
        cost = self.cost(a, b)
        plan = self.balance(torch.exp(-cost / 0.5), self.rounds)
        return (plan * cost.detach()).sum()

    @torch.no_grad()
    def assign(self, a, b):
        plan = torch.exp(-self.cost(a, b) / 0.5)
        plan.data.div_(plan.sum(1, keepdim=True))  # ok: TL305
        return plan.argmax(1)

    def limit(self, ceiling=1.0):
        for p in self.parameters():
            p.data.clamp_(-ceiling, ceiling)  # ok: TL305


MATCHERS = {"lean": lambda: Matcher(3, rounds_in_place), "plain": lambda: Matcher(3, rounds_out_of_place)}


def train_step(model, a, b, lr=0.05):
    loss = model(a, b)
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= lr * p.grad
    model.limit()
    return loss


def demonstrate():
    a, b = torch.rand(4, 3), torch.rand(4, 3)
    losses, grads = [], []
    for name in ("lean", "plain"):
        torch.manual_seed(0)
        model = MATCHERS[name]()
        losses.append(train_step(model, a, b).item())
        grads.append(model.left.weight.grad.clone())
    assert abs(losses[0] - losses[1]) < 1e-5, "the value is right"
    assert not torch.allclose(*grads, rtol=1e-2)
    assert MATCHERS["plain"]().assign(a, b).shape == (4,)
