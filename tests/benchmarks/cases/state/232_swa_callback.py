"""Weight averaging as a callback: the averaged copy is evaluated with the statistics of the day it was made.

source: fadel/pytorch_ema#13, pytorch/pytorch#84053 (buffers of AveragedModel), pytorch/vision#5469
rules: [TL117]
"""
import copy
from typing import Callable, List

import torch
from torch import nn
from torch.optim.swa_utils import update_bn


class Loop:
    def __init__(self, net: nn.Module, callbacks: List["Averaging"]):
        self.net, self.callbacks = net, callbacks

    def run(self, loader, after: Callable[[nn.Module], None] = lambda net: None) -> None:
        for x in loader:
            self.net.train()(x)
            after(self.net)
            for cb in self.callbacks:
                cb.batch_end(self)


class Averaging:
    def __init__(self, net: nn.Module):
        self.count = 0
        self.mean = copy.deepcopy(net).requires_grad_(False)

    def batch_end(self, loop: Loop) -> None:
        self.count += 1
        self.fold(dict(loop.net.named_parameters()), loop.net)

    def fold(self, fresh: dict, net: nn.Module) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def score(self, x, loader=None) -> torch.Tensor:
        return self.mean.eval()(x)


class NamedAveraging(Averaging):
    @torch.no_grad()
    def fold(self, fresh, net):
        for name, slow in self.mean.named_parameters():  # expect: TL117
            slow += (fresh[name] - slow) / self.count


class RefittedAveraging(Averaging):
    """Parameters only, and the statistics are measured again before anybody looks."""

    @torch.no_grad()
    def fold(self, fresh, net):
        for name, slow in self.mean.named_parameters():  # ok: TL117
            slow += (fresh[name] - slow) / self.count

    def score(self, x, loader=None):
        update_bn(loader, self.mean)
        return super().score(x)


class WholeAveraging(Averaging):
    @torch.no_grad()
    def fold(self, fresh, net):
        live = net.state_dict()
        for name, slow in self.mean.state_dict().items():  # ok: TL117
            if slow.is_floating_point():
                slow += (live[name] - slow) / self.count  # ok: TL111
            else:
                slow.copy_(live[name])  # ok: TL111


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    loader = [torch.randn(64, 3) * 2 + 6 for _ in range(60)]
    x = loader[0]
    for cls, normal in ((NamedAveraging, False), (RefittedAveraging, True), (WholeAveraging, True)):
        net = nn.Sequential(nn.BatchNorm1d(3, momentum=0.5))
        cb = cls(net)
        Loop(net, [cb]).run(loader)
        out = cb.score(x, loader)
        assert bool(out.mean().abs() < 0.6) is normal, (cls, out.mean())
