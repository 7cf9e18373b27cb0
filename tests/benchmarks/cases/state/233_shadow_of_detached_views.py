"""An exponential average is started from detach()ed parameters, which share memory, so the average never leaves the model.

source: POSTECH/StableTuner-like trainers (devilismyfriend/StableTuner#126: the live weights get clobbered), fadel/pytorch_ema
rules: [TL116]
"""
from collections import OrderedDict
from typing import Iterator, Tuple

import torch
from torch import nn


class Shadow:
    def __init__(self, net: nn.Module, decay: float = 0.9):
        self.decay = decay
        self.shadow = self.start(net)

    @staticmethod
    def trained(net: nn.Module) -> Iterator[Tuple[str, torch.Tensor]]:
        return ((n, p) for n, p in net.named_parameters() if p.requires_grad)

    def start(self, net: nn.Module) -> "OrderedDict[str, torch.Tensor]":
        raise NotImplementedError

    @torch.no_grad()
    def update(self, net: nn.Module) -> None:
        for n, p in self.trained(net):
            self.shadow[n].mul_(self.decay).add_(p, alpha=1 - self.decay)


class SharedShadow(Shadow):
    def start(self, net):
        return OrderedDict((n, p.detach()) for n, p in self.trained(net))  # expect: TL116


class ClonedShadow(Shadow):
    def start(self, net):
        return OrderedDict((n, p.detach().clone()) for n, p in self.trained(net))  # ok: TL116


class PreciseShadow(Shadow):
    """Kept in double precision: the conversion makes the copy."""

    def start(self, net):
        return OrderedDict((n, p.detach().to(torch.float64, copy=True)) for n, p in self.trained(net))  # ok: TL116


class ReboundShadow(Shadow):
    """Starts from the very tensors, but every update makes new ones."""

    def start(self, net):
        return OrderedDict((n, p.detach()) for n, p in self.trained(net))  # ok: TL116

    @torch.no_grad()
    def update(self, net):
        for n, p in self.trained(net):
            self.shadow[n] = torch.lerp(p, self.shadow[n], self.decay)


def train(net: nn.Module, shadow: Shadow, steps: int = 3) -> None:
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        opt.zero_grad()
        net(torch.ones(2, 3)).sum().backward()
        opt.step()
        shadow.update(net)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, lags in ((SharedShadow, False), (ClonedShadow, True), (PreciseShadow, True)):
        torch.manual_seed(0)
        net = nn.Linear(3, 1)
        s = cls(net)
        train(net, s)
        assert torch.allclose(s.shadow["weight"].float(), net.weight) is not lags, cls
    net = nn.Linear(3, 1)
    start = net.weight.detach().clone()
    s = ReboundShadow(net)
    s.update(net)
    train(net, s)
    assert not torch.allclose(s.shadow["weight"], net.weight) and not torch.equal(start, net.weight)
