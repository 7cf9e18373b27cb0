"""Workers average their whole state after an epoch: sum, then divide in place. A counter of batches cannot be divided in place.

source: data-parallel scripts that average state_dict() by hand; AI-secure/DBA#1 kind ("result type Float can't be cast to Long")
rules: [TL301]
"""
import torch
from torch import nn


class Ring:
    """Stands in for a process group of one machine."""

    def __init__(self, nets):
        self.nets = nets

    def sum_into(self, name, target):
        total = sum(net.state_dict()[name] for net in self.nets)
        target.copy_(total)


class Averager:
    def __init__(self, ring: Ring):
        self.ring, self.size = ring, len(ring.nets)

    @torch.no_grad()
    def sync_(self, state):
        raise NotImplementedError


class WholeAverager(Averager):
    @torch.no_grad()
    def sync_(self, state):
        for name, value in state.items():
            self.ring.sum_into(name, value)
            value /= self.size  # expect: TL301


class WeightedAverager(Averager):
    """Blends with a share below one; the number of the share makes the result floating."""

    share = 0.5

    @torch.no_grad()
    def sync_(self, state):
        for name, value in state.items():
            before = value.clone()
            self.ring.sum_into(name, value)
            value.mul_(self.share / self.size).add_(before, alpha=1 - self.share)  # expect: TL301


class FloatingAverager(Averager):
    @torch.no_grad()
    def sync_(self, state):
        for name, value in state.items():
            if not value.dtype.is_floating_point:
                continue
            self.ring.sum_into(name, value)
            value /= self.size  # ok: TL301


class WholeNumbers(Averager):
    """Counters are divided as whole numbers."""

    @torch.no_grad()
    def sync_(self, state):
        for name, value in state.items():
            self.ring.sum_into(name, value)
            if value.is_floating_point():
                value.div_(self.size)  # ok: TL301
            else:
                value.div_(self.size, rounding_mode="floor")  # ok: TL301


def demonstrate():
    for cls, works in (
        (WholeAverager, False), (WeightedAverager, False), (FloatingAverager, True), (WholeNumbers, True),
    ):
        torch.manual_seed(0)
        nets = [nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)) for _ in range(2)]
        for net in nets:
            net(torch.randn(4, 2))
        want = (nets[0][0].weight + nets[1][0].weight) / 2
        try:
            cls(Ring(nets)).sync_(nets[0].state_dict())
            assert torch.allclose(nets[0][0].weight, want)
            ok = True
        except RuntimeError as err:
            assert "can't be cast" in str(err), err
            ok = False
        assert ok is works, cls
