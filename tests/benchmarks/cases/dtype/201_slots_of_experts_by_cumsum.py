"""Token dispatch: the slot of a token in its expert's buffer is a cumulative sum of floating one-hot rows, used to write and read.

source: switch-style routers that keep their masks in the compute dtype ("tensors used as indices must be long"); VSehwag/minimal-diffusion#4
rules: [TL201]
"""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Plan:
    expert: Tensor
    slot: Tensor
    weight: Tensor


class Dispatch(nn.Module):
    def __init__(self, dim=6, experts=3, capacity=8):
        super().__init__()
        self.router = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(experts))
        self.capacity = capacity

    def load(self, choice):
        return F.one_hot(choice, len(self.experts)).float()  # expect: TL201

    def plan(self, x):
        prob = self.router(x).softmax(-1)
        weight, choice = prob.max(dim=-1)
        rank = self.load(choice).cumsum(0) - 1
        return Plan(choice, rank.gather(1, choice[:, None]).squeeze(1), weight)

    def forward(self, x):
        p = self.plan(x)
        room = x.new_zeros(len(self.experts), self.capacity, x.shape[-1])
        room[p.expert, p.slot] = x  # use: TL201
        done = torch.stack([f(r) for f, r in zip(self.experts, room)])
        return done[p.expert, p.slot] * p.weight[:, None]  # use: TL201


class DispatchExact(Dispatch):
    """Keeps the floating load for the balance loss only."""

    def load(self, choice):
        return F.one_hot(choice, len(self.experts))

    def balance(self, x):
        p = self.plan(x)
        share = self.load(p.expert).float().mean(0)  # ok: TL201
        return (share * self.router(x).softmax(-1).mean(0)).sum() * len(self.experts)

    def busiest(self, x):
        return self.experts[int(self.load(self.plan(x).expert).float().sum(0).argmax())]  # ok: TL201


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(8, 6)
    try:
        Dispatch()(x)
        raise AssertionError("a floating slot was an index")
    except IndexError as err:
        assert "must be long" in str(err)
    good = DispatchExact()
    assert good(x).shape == (8, 6) and good.balance(x) > 0 and good.busiest(x) is not None
