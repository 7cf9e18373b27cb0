"""A module is made with the function that balances its plan: one of them writes through .data into what exp() keeps."""
import torch
from torch import nn


def in_place(plan, rounds):
    for _ in range(rounds):
        plan.data.div_(plan.data.sum(1, keepdim=True))  # expect: TL305
    return plan


def out_of_place(plan, rounds):
    for _ in range(rounds):
        plan = plan / plan.sum(1, keepdim=True)
    return plan


def shifted(cost, rounds):
    cost.data.sub_(rounds)  # ok: TL305  a difference keeps nothing
    return cost


class Matcher(nn.Module):
    def __init__(self, balance, prepare=shifted):
        super().__init__()
        self.left = nn.Linear(3, 2)
        self.balance, self.prepare = balance, prepare

    def forward(self, a, b):
        plan = self.balance(torch.exp(self.left(a) - b), 2)
        return (plan * torch.arange(2.0)).sum() + self.prepare(self.left(a) - b, 1).sum()  # expect: TL204


MATCHERS = {"lean": lambda: Matcher(in_place), "plain": lambda: Matcher(out_of_place)}


def demonstrate():
    found = []
    for name in ("lean", "plain"):
        torch.manual_seed(0)
        matcher = MATCHERS[name]()
        matcher(torch.rand(4, 3), torch.rand(4, 2)).backward()
        found.append(matcher.left.weight.grad)
    assert not torch.allclose(*found)
