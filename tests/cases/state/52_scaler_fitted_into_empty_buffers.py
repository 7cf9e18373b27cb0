"""A scaler registers its statistics as None and fills them when it is fitted; a fresh scaler cannot load them.

source: pytorch/pytorch#8104, pytorch/rl#1594, scalers inside forecasting models
rules: [TL120]
"""
from __future__ import annotations

import torch
from torch import nn


class Scaler(nn.Module):
    names = ("centre", "spread")

    def __init__(self):
        super().__init__()
        self.reserve()

    def reserve(self) -> None:
        raise NotImplementedError

    def fit(self, rows: torch.Tensor) -> "Scaler":
        self.centre = rows.mean(0)
        self.spread = rows.std(0).clamp_min(1e-6)
        return self

    def forward(self, x):
        return x if self.centre is None else (x - self.centre) / self.spread


class EmptyScaler(Scaler):
    def reserve(self):
        for name in self.names:
            self.register_buffer(name, None)  # expect: TL120


class SizedScaler(Scaler):
    def __init__(self, width: int = 3):
        self.width = width
        super().__init__()

    def reserve(self):
        self.register_buffer("centre", torch.zeros(self.width))  # ok: TL120
        self.register_buffer("spread", torch.ones(self.width))  # ok: TL120


class UnsavedScaler(Scaler):
    def reserve(self):
        for name in self.names:
            self.register_buffer(name, None, persistent=False)  # ok: TL120


class PreparedScaler(EmptyScaler):
    """Room is made by a hook that runs before the keys are compared."""

    def __init__(self):
        super().__init__()
        self.register_load_state_dict_pre_hook(self._make_room)

    def reserve(self):
        for name in self.names:
            self.register_buffer(name, None)  # ok: TL120

    @staticmethod
    def _make_room(module, state, prefix, *_):
        for name in module.names:
            if prefix + name in state:
                setattr(module, name, torch.empty_like(state[prefix + name]))


class MaybeBias(nn.Module):
    """None is the final value here: this buffer is never filled."""

    def __init__(self, bias: torch.Tensor | None = None):
        super().__init__()
        self.register_buffer("bias", bias)  # ok: TL120

    def forward(self, x):
        return x if self.bias is None else x + self.bias


# ---- demonstration: not part of the graded code ----
def demonstrate():
    rows = torch.randn(10, 3) * 2 + 1
    for cls, loads in ((EmptyScaler, False), (SizedScaler, True), (UnsavedScaler, True), (PreparedScaler, True)):
        sd = cls().fit(rows).state_dict()
        fresh = cls()
        try:
            fresh.load_state_dict(sd)
            ok = True
        except RuntimeError as exc:
            assert "Unexpected key" in str(exc)
            ok = False
        assert ok is loads, cls
        if sd and loads:
            assert torch.equal(fresh.spread, sd["spread"])
    MaybeBias().load_state_dict(MaybeBias().state_dict())
