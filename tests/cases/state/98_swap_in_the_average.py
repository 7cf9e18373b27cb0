"""Evaluation with averaged weights: the backup of the raw weights is an alias, so the swap back restores nothing.

source: fadel/pytorch_ema (store/restore protocol), open-mmlab/mmengine#266; hand-made versions in diffusion trainers
rules: [TL116]
"""
import copy
from contextlib import contextmanager

import torch
from torch import nn


class Average:
    def __init__(self, net: nn.Module, decay: float = 0.5):
        self.decay = decay
        self.held = self.start(net)

    def start(self, net) -> dict:
        return {k: v.detach().clone() for k, v in net.state_dict().items()}  # ok: TL116

    @torch.no_grad()
    def follow(self, net) -> None:
        for k, v in net.state_dict().items():
            self.held[k].mul_(self.decay).add_(v, alpha=1 - self.decay)

    @contextmanager
    def applied(self, net: nn.Module):
        raw = copy.deepcopy(net.state_dict())  # ok: TL116
        net.load_state_dict(self.held)
        try:
            yield net
        finally:
            net.load_state_dict(raw)


class AliasedAverage(Average):
    @contextmanager
    def applied(self, net):
        raw = net.state_dict()  # expect: TL116
        net.load_state_dict(self.held)
        try:
            yield net
        finally:
            net.load_state_dict(raw)


class SharedShadow(Average):
    """The average starts as the very tensors of the network and is then written in place."""

    def start(self, net):
        held = {}
        for name, p in net.named_parameters():
            held[name] = p.data  # expect: TL116
        return held


def export(average: Average, net: nn.Module) -> dict:
    with average.applied(net):
        out = net.state_dict()  # expect: TL116
    return out


def export_copied(average: Average, net: nn.Module) -> dict:
    with average.applied(net):
        out = {k: v.cpu().clone() for k, v in net.state_dict().items()}  # ok: TL116
    return out


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, restores in ((Average, True), (AliasedAverage, False)):
        net = nn.Linear(2, 1)
        avg = cls(net)
        with torch.no_grad():
            net.weight.add_(1.0)
        raw = net.weight.detach().clone()
        with avg.applied(net):
            assert torch.equal(net.weight, avg.held["weight"])
        assert torch.equal(net.weight, raw) is restores, cls
    net = nn.Linear(2, 1)
    shared = SharedShadow(net)
    with torch.no_grad():
        net.weight.add_(1.0)
    assert torch.equal(shared.held["weight"], net.weight), "the shadow has no lag"
    net, want = nn.Linear(2, 1), None
    avg = Average(net)
    with torch.no_grad():
        net.weight.add_(1.0)
    want = avg.held["weight"].clone()
    assert not torch.equal(export(avg, net)["weight"], want)
    assert torch.equal(export_copied(avg, net)["weight"], want)
