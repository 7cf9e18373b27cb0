"""Evaluators that reach the network through a step helper, a dict of loaders or a generator; only some switch autograd off.

source: facebookarchive/loop#57, leftthomas/SRGAN#43, chrischoy/FCGF#15
rules: [TL304]
"""
from __future__ import annotations

from collections import defaultdict
from typing import Callable

import torch
import torch.nn.functional as F
from torch import nn

kept: list[torch.Tensor] = []


class Harness:
    def __init__(self, net: nn.Module, measure: Callable = F.mse_loss):
        self.net = net
        self.measure = measure

    def step(self, batch):
        x, y = batch
        return self.measure(self.net(x), y)

    def run(self, loaders: dict) -> dict[str, float]:
        raise NotImplementedError


class RecordingHarness(Harness):
    def run(self, loaders):
        sums = defaultdict(list)
        self.net.eval()  # expect: TL304
        for name, loader in loaders.items():
            for batch in loader:
                sums[name].append(self.step(batch))
        kept[:] = [v for vs in sums.values() for v in vs]
        return {k: float(sum(v)) / len(v) for k, v in sums.items()}


class TooLateHarness(Harness):
    """no_grad stands around the averaging only."""

    def run(self, loaders):
        self.net.eval()  # expect: TL304
        losses = {name: [self.step(b) for b in loader] for name, loader in loaders.items()}
        with torch.no_grad():
            means = {name: torch.stack(v).mean() for name, v in losses.items()}
        kept[:] = sum(losses.values(), [])
        return {k: v.item() for k, v in means.items()}


class QuietStepHarness(Harness):
    """The helper is quiet by itself."""

    @torch.inference_mode()
    def step(self, batch):
        return super().step(batch)

    def run(self, loaders):
        self.net.eval()  # ok: TL304
        losses = {name: [self.step(b) for b in loader] for name, loader in loaders.items()}
        kept[:] = sum(losses.values(), [])
        return {k: float(sum(v)) / len(v) for k, v in losses.items()}


class GuardedHarness(Harness):
    """The caller holds the guard for everything."""

    def run(self, loaders):
        with torch.no_grad():
            return self._run(loaders)

    def _run(self, loaders):
        self.net.eval()  # ok: TL304
        out = {}
        for name, loader in loaders.items():
            losses = [self.step(b) for b in loader]
            kept[:] = losses
            out[name] = float(sum(losses)) / len(losses)
        return out


def sensitivity(net: nn.Module, loader) -> torch.Tensor:
    """Saliency: eval mode, and gradients with respect to the input are the result."""
    net.eval()  # ok: TL304
    maps = []
    for x, _ in loader:
        x = x.detach().requires_grad_()
        net(x).sum().backward()
        maps.append(x.grad.abs())
    return torch.cat(maps)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    net = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.2), nn.Linear(4, 1))
    sets = {k: [(torch.randn(2, 3), torch.randn(2, 1)) for _ in range(2)] for k in ("val", "test")}
    for cls, quiet in ((RecordingHarness, False), (TooLateHarness, False), (QuietStepHarness, True), (GuardedHarness, True)):
        assert set(cls(net).run(sets)) == {"val", "test"}
        assert any(t.requires_grad for t in kept) is not quiet, cls
    assert sensitivity(net, sets["val"]).shape == (4, 3)
