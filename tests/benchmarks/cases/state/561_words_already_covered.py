"""A summariser remembers how much attention each source word has had; what it remembers still hangs on the graph of the last step.

source: coverage mechanisms of pointer networks (coverage kept on the module); symptom of norse/norse#130 (backward a second time)
rules: [TL102]
"""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.query, self.fade = nn.Linear(dim, dim), nn.Parameter(torch.tensor(0.5))

    def weigh(self, q, memory, used):
        return (self.query(q).unsqueeze(1) @ memory.mT).squeeze(1).sub(self.fade * used).softmax(-1)

    def forward(self, q, memory):
        raise NotImplementedError


class RememberingAttention(Attention):
    def __init__(self, dim: int = 3):
        super().__init__(dim)
        self.coverage = 0.0

    def forward(self, q, memory):
        w = self.weigh(q, memory, self.coverage)
        self.coverage = self.coverage + w  # expect: TL102
        return (w.unsqueeze(1) @ memory).squeeze(1)


class StateAttention(Attention):
    """Keeps weights and context together; the next call reads both."""

    def __init__(self, dim: int = 3):
        super().__init__(dim)
        self.last = None

    def forward(self, q, memory):
        used = 0.0 if self.last is None else self.last[0]
        w = self.weigh(q, memory, used)
        self.last = (used + w, w @ memory.mean(-1).mT)  # expect: TL102
        return (w.unsqueeze(1) @ memory).squeeze(1)


class BufferAttention(Attention):
    """A registered value that is re-bound, without its graph."""

    def __init__(self, dim: int = 3):
        super().__init__(dim)
        self.register_buffer("coverage", torch.zeros(()))

    def forward(self, q, memory):
        w = self.weigh(q, memory, self.coverage)
        self.coverage = self.coverage + w.detach()  # ok: TL102
        return (w.unsqueeze(1) @ memory).squeeze(1)


class ResettingAttention(Attention):
    """A document is a unit: the caller starts the next one with reset()."""

    def __init__(self, dim: int = 3):
        super().__init__(dim)
        self.reset()

    def reset(self) -> None:
        self.coverage = 0.0

    def forward(self, q, memory):
        w = self.weigh(q, memory, self.coverage)
        self.coverage = self.coverage + w  # ok: TL102
        return (w.unsqueeze(1) @ memory).squeeze(1)


class HandedAttention(Attention):
    """The caller carries the coverage."""

    width = None

    def forward(self, q, memory, coverage=0.0):
        w = self.weigh(q, memory, coverage)
        self.width = memory.shape[1]  # ok: TL102
        return (w.unsqueeze(1) @ memory).squeeze(1), coverage + w


# ---- demonstration: not part of the graded code ----
def demonstrate():
    q, memory = torch.randn(2, 3), torch.randn(2, 4, 3)
    for cls, works in ((RememberingAttention, False), (StateAttention, False), (BufferAttention, True)):
        m = cls()
        m(q, memory).sum().backward()
        try:
            m(q, memory).sum().backward()
            ok = True
        except RuntimeError as exc:
            assert "second time" in str(exc), exc
            ok = False
        assert ok is works, cls
    m = ResettingAttention()
    for _ in range(2):
        m.reset()
        m(q, memory).sum().backward()
    out, coverage = HandedAttention()(q, memory)
    assert coverage.shape == (2, 4) and out.shape == (2, 3)
