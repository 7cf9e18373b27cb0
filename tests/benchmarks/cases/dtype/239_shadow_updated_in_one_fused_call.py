"""An EMA callback scales its whole shadow with one _foreach call; the list holds integer counters and index tables, too.

source: YU1ut/MixMatch-pytorch#27, pytorch/ignite#2098 (buffers in the EMA handler)
rules: [TL301]
"""
import copy

import torch
from torch import nn


class Shadow:
    keep = 0.9

    def __init__(self, net):
        self.copy = copy.deepcopy(net).requires_grad_(False)

    def pairs(self, net):
        mine, theirs = self.copy.state_dict(), net.state_dict()
        return [mine[k] for k in mine], [theirs[k] for k in mine]

    @torch.no_grad()
    def on_step(self, net):
        mine, theirs = self.pairs(net)
        torch._foreach_mul_(mine, self.keep)  # expect: TL301
        torch._foreach_add_(mine, theirs, alpha=1 - self.keep)


class SplitShadow(Shadow):
    @torch.no_grad()
    def on_step(self, net):
        moving, fixed = [], []
        for mine, theirs in zip(*self.pairs(net)):
            (moving if mine.dtype.is_floating_point else fixed).append((mine, theirs))
        for mine, theirs in fixed:
            mine.copy_(theirs)
        torch._foreach_mul_([m for m, _ in moving], self.keep)  # ok: TL301
        torch._foreach_add_([m for m, _ in moving], [t for _, t in moving], alpha=1 - self.keep)


class TrainedShadow(Shadow):
    def pairs(self, net):
        return list(self.copy.parameters()), list(net.parameters())

    @torch.no_grad()
    def on_step(self, net):
        mine, theirs = self.pairs(net)
        torch._foreach_mul_(mine, self.keep)  # ok: TL301
        torch._foreach_add_(mine, theirs, alpha=1 - self.keep)
        for name, value in net.named_buffers():
            self.copy.get_buffer(name).copy_(value)


def train(net, shadow, batches):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in batches:
        net(x).square().mean().backward()
        opt.step()
        opt.zero_grad()
        shadow.on_step(net)
    return shadow.copy


def demonstrate():
    def start(cls):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
        return train(net, cls(net), [torch.randn(4, 2) for _ in range(2)])

    try:
        start(Shadow)
        raise AssertionError("an int64 counter took a floating product")
    except RuntimeError as err:
        assert "can't be cast" in str(err)
    for cls in (SplitShadow, TrainedShadow):
        assert start(cls)[1].num_batches_tracked.item() == 2
