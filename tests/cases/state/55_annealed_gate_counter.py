"""Warm-up factors read by forward are driven by counters and scalars that a resumed run starts again from zero.

source: bayesiains/nflows#4, Lightning-AI/torchmetrics#3323, annealed slots / Gumbel temperature in VQ models
rules: [TL122]
"""
from __future__ import annotations

import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, dim: int = 3, warm: int = 4):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        self.warm = warm
        self.seen_batches = 0  # ok: TL122

    def strength(self) -> torch.Tensor:
        raise NotImplementedError

    def advance(self) -> None:
        raise NotImplementedError

    def forward(self, x):
        if self.training:
            self.seen_batches += 1
            self.advance()
        return x + self.strength() * self.lin(x)


class CounterGate(Gate):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.step = 0  # expect: TL122

    def advance(self):
        self.step += 1

    def strength(self):
        return min(1.0, self.step / self.warm)


class TensorGate(Gate):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.level = torch.zeros(1)  # expect: TL122

    def advance(self):
        self.level = (self.level + 1 / self.warm).clamp(max=1)

    def strength(self):
        return self.level


class BufferGate(Gate):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.register_buffer("level", torch.zeros(1))  # ok: TL122

    def advance(self):
        self.level += 1 / self.warm
        self.level.clamp_(max=1)

    def strength(self):
        return self.level


class ExtraGate(CounterGate):
    """The counter travels as extra state."""

    def __init__(self, *args, **kw):
        Gate.__init__(self, *args, **kw)
        self.step = 0  # ok: TL122

    def get_extra_state(self):
        return {"step": self.step}

    def set_extra_state(self, state):
        self.step = state["step"]


class ScheduledGate(Gate):
    """The loop sets it before every step, from its own counter."""

    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.amount = 0.0  # ok: TL122

    def set_progress(self, fraction: float) -> None:
        self.amount = fraction

    def advance(self):
        pass

    def strength(self):
        return self.amount


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(5, 3)
    for cls, faithful in ((CounterGate, False), (TensorGate, False), (BufferGate, True), (ExtraGate, True)):
        run, resumed = cls(), cls()
        for _ in range(6):
            run(x)
        resumed.load_state_dict(run.state_dict())
        assert torch.allclose(run.eval()(x), resumed.eval()(x)) is faithful, cls
    s = ScheduledGate()
    s.set_progress(0.5)
    assert s(x).shape == x.shape
