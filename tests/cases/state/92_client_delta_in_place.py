"""Federated clients compute their update by subtracting in place from the dict that shares memory with the live model.

source: OpenMined/PySyft#3613, alibaba/FederatedScope#664
rules: [TL111]
"""
from __future__ import annotations

import copy

import torch
from torch import nn


class Client:
    def __init__(self, net: nn.Module, weight: float = 1.0):
        self.net = net
        self.weight = weight

    def update(self, base: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        raise NotImplementedError


class SharingClient(Client):
    def update(self, base):
        delta = self.net.state_dict()
        for key in delta:
            if delta[key].is_floating_point():
                delta[key] -= base[key]  # expect: TL111
        return delta


class WeightingClient(Client):
    @torch.no_grad()
    def update(self, base):
        out = {}
        for key, value in self.net.state_dict().items():
            if value.is_floating_point():
                out[key] = value.sub_(base[key]).mul(self.weight)  # expect: TL111
        return out


class FreshClient(Client):
    def update(self, base):
        now = self.net.state_dict()
        return {k: (v - base[k]) * self.weight for k, v in now.items()}  # ok: TL111


class CopyingClient(Client):
    def update(self, base):
        delta = copy.deepcopy(self.net.state_dict())
        for key in delta:
            delta[key] -= base[key]  # ok: TL111
        return delta


class HalvingClient(Client):
    """Rebinding a key of the returned dict leaves the model alone."""

    def update(self, base):
        delta = self.net.state_dict()
        for key, value in delta.items():
            delta[key] = (value - base[key]).half()  # ok: TL111
        return delta


@torch.no_grad()
def blend_into(slow: nn.Module, fast: nn.Module, rate: float) -> None:
    """In place on purpose: `slow` is the average."""
    target = slow.state_dict()
    for key, value in fast.state_dict().items():
        if value.is_floating_point():
            target[key].mul_(1 - rate).add_(value, alpha=rate)  # ok: TL111
        else:
            target[key].copy_(value)  # ok: TL111


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, harmless in (
        (SharingClient, False), (WeightingClient, False), (FreshClient, True), (CopyingClient, True), (HalvingClient, True),
    ):
        net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2, track_running_stats=True))
        base = {k: torch.ones_like(v) for k, v in net.state_dict().items()}
        before = copy.deepcopy(net.state_dict())
        cls(net).update(base)
        same = all(torch.equal(v, before[k]) for k, v in net.state_dict().items())
        assert same is harmless, cls
    slow, fast = nn.Linear(2, 2), nn.Linear(2, 2)
    blend_into(slow, fast, 1.0)
    assert torch.allclose(slow.weight, fast.weight)
