"""A record of dict(..) keeps the state under a keyword: the tensors stay the model's own."""

import copy

import torch
from torch import nn


class Guard:
    def __init__(self, net: nn.Module):
        self.net = net
        self.good = {}

    def record(self, step):
        raise NotImplementedError

    def accept(self, step):
        self.good = self.record(step)

    def back(self):
        self.net.load_state_dict(self.good["net"])


class UnderAKeyword(Guard):
    def record(self, step):
        return dict(step=step, net=self.net.state_dict())  # expect: TL116


class UnderAKeywordOfAnother(Guard):
    def record(self, step):
        return dict({"step": step}, net=self.net.state_dict())  # expect: TL116


class Copied(Guard):
    def record(self, step):
        return dict(step=step, net=copy.deepcopy(self.net.state_dict()))  # ok: TL116


class Cloned(Guard):
    def record(self, step):
        net = {name: value.clone() for name, value in self.net.state_dict().items()}  # ok: TL116
        return dict(step=step, net=net)


class NamesAlone(Guard):
    def record(self, step):
        return dict(step=step, names=list(self.net.state_dict()))  # ok: TL116


def train(guard: Guard, opt: torch.optim.Optimizer, batches) -> None:
    for step, batch in enumerate(batches):
        guard.accept(step)
        guard.net(batch).sum().backward()
        opt.step()
    guard.back()
