"""State whose size is known at the first batch: a saved buffer that starts as None, and the ways to make that loadable.

source: pytorch/pytorch#28340, pytorch/pytorch#8104; observers and priors that size themselves
rules: [TL120]
"""
from __future__ import annotations

import torch
from torch import nn


class Tracker(nn.Module):
    def __init__(self, rate: float = 0.1, **options):
        super().__init__()
        self.rate = rate
        self.declare("peak", **options)

    def declare(self, name: str, **options) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def forward(self, x):
        top = x.abs().amax(0)
        self.peak = top if self.peak is None else torch.maximum(self.peak, top)
        return x / self.peak.clamp_min(1e-6)


class LateTracker(Tracker):
    def declare(self, name, **options):
        self.register_buffer(name, None, **options)  # expect: TL120


class TransientTracker(Tracker):
    def declare(self, name, **options):
        self.register_buffer(name, None, persistent=False)  # ok: TL120


class GrowingTracker(LateTracker):
    """Makes room when a state arrives."""

    def declare(self, name, **options):
        self.register_buffer(name, None)  # ok: TL120

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        found = state_dict.get(prefix + "peak")
        self.peak = None if found is None else torch.zeros_like(found)
        super()._load_from_state_dict(state_dict, prefix, *rest)


class LazyParamTracker(Tracker):
    """torch's own placeholder for a size that is not known yet."""

    def declare(self, name, **options):
        self.register_buffer(name, nn.parameter.UninitializedBuffer())  # ok: TL120

    @torch.no_grad()
    def forward(self, x):
        if nn.parameter.is_lazy(self.peak):
            self.peak.materialize(x.shape[1:])
            self.peak.zero_()
        self.peak = torch.maximum(self.peak, x.abs().amax(0))
        return x / self.peak.clamp_min(1e-6)

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        key = prefix + "peak"
        if key in state_dict and nn.parameter.is_lazy(self.peak):
            self.peak.materialize(state_dict[key].shape)
        super()._load_from_state_dict(state_dict, prefix, *rest)


def build(kind: str = "late") -> Tracker:
    kinds = {"late": LateTracker, "transient": TransientTracker, "growing": GrowingTracker, "lazy": LazyParamTracker}
    return kinds[kind]()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(6, 3)
    for kind, loads in (("late", False), ("transient", True), ("growing", True), ("lazy", True)):
        src = build(kind)
        src(x)
        fresh = build(kind)
        try:
            fresh.load_state_dict(src.state_dict())
            ok = True
        except RuntimeError as exc:
            assert "Unexpected key" in str(exc), exc
            ok = False
        assert ok is loads, kind
