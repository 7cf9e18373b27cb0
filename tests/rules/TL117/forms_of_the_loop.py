"""Parameters are paired by zip, by name, by position or in lists; the statistics of the averaged model stay behind."""

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(self.linear(x))


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = Net()
        self.target = copy.deepcopy(self.online)

    @torch.no_grad()
    def by_zip(self, rate: float) -> None:
        for t, s in zip(self.target.parameters(), self.online.parameters()):  # expect: TL117
            t.data = t.data * (1 - rate) + s.data * rate

    @torch.no_grad()
    def by_name(self, rate: float) -> None:
        source = dict(self.online.named_parameters())
        for name, t in self.target.named_parameters():  # expect: TL117
            t.mul_(1 - rate).add_(source[name], alpha=rate)

    @torch.no_grad()
    def by_position(self, rate: float) -> None:
        source = list(self.online.parameters())
        for index, t in enumerate(self.target.parameters()):  # expect: TL117
            t.lerp_(source[index], rate)

    @torch.no_grad()
    def by_one_call(self, rate: float) -> None:
        torch._foreach_lerp_(list(self.target.parameters()), list(self.online.parameters()), rate)  # expect: TL117

    def start(self) -> None:
        for t, s in zip(self.target.parameters(), self.online.parameters()):  # ok: TL117  copied, not averaged
            t.data.copy_(s.data)
            t.requires_grad = False

    def is_equal(self) -> bool:
        return all(torch.equal(t, s) for t, s in zip(self.target.parameters(), self.online.parameters()))  # ok: TL117

    def decay(self, rate: float) -> None:
        for p in self.target.parameters():  # ok: TL117  one model alone
            p.data.mul_(rate)

    def exchange(self) -> None:
        for t, s in zip(self.target.parameters(), self.online.parameters()):  # ok: TL117  swapped
            t.data, s.data = s.data, t.data

    def gradients(self) -> None:
        for t, s in zip(self.target.parameters(), self.online.parameters()):  # ok: TL117  gradients, not weights
            t.grad = s.grad

    def forward(self, x):
        with torch.no_grad():
            wanted = self.target.eval()(x)
        return self.online(x), wanted
