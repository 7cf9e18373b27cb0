"""The lists of parameters come from a helper, or from whoever calls: the buffers of a model in a dict stay behind."""

import copy

import torch
from torch import nn


def critic(width: int) -> nn.Module:
    return nn.Sequential(nn.BatchNorm1d(width), nn.Linear(width, 1))


def weights(net: nn.Module) -> list:
    return [p.detach() for p in net.parameters()]


class Twins:
    def __init__(self, width: int = 4):
        self.online = {"q": critic(width)}
        self.slow = {role: copy.deepcopy(net).eval() for role, net in self.online.items()}


class ByForeach(Twins):
    def follow(self):
        for role, net in self.online.items():
            torch._foreach_lerp_(weights(self.slow[role]), weights(net), 0.1)  # expect: TL117


class BuffersToo(Twins):
    def follow(self):
        for role, net in self.online.items():
            slow = self.slow[role]
            torch._foreach_lerp_(weights(slow), weights(net), 0.1)  # ok: TL117
            for mine, theirs in zip(slow.buffers(), net.buffers(), strict=True):
                mine.copy_(theirs)


class Callback:
    def __init__(self, net: nn.Module):
        self.mean = copy.deepcopy(net)

    def batch_end(self, net: nn.Module):
        self.fold(dict(net.named_parameters()))

    def fold(self, fresh):
        raise NotImplementedError

    def score(self, x):
        return self.mean.eval()(x)


class GivenByTheBase(Callback):
    @torch.no_grad()
    def fold(self, fresh):
        for name, slow in self.mean.named_parameters():  # note: TL117
            slow += (fresh[name] - slow) / 2


class MeasuredAgain(Callback):
    @torch.no_grad()
    def fold(self, fresh):
        for name, slow in self.mean.named_parameters():  # ok: TL117
            slow += (fresh[name] - slow) / 2

    def refit(self, loader):
        torch.optim.swa_utils.update_bn(loader, self.mean)
