"""The recurrent core of a policy keeps (h, c) on self between chunks; only one of the siblings cuts the graph.

source: sgadgil6/cnslab_fmri#4, ikostrikov/pytorch-a3c#15, norse/norse#130
rules: [TL102]
"""
from __future__ import annotations

import torch
from torch import nn


class RecurrentCore(nn.Module):
    def __init__(self, obs: int = 3, width: int = 4, acts: int = 2):
        super().__init__()
        self.width = width
        self.embed = nn.Linear(obs, width)
        self.cell = nn.LSTMCell(width, width)
        self.pi = nn.Linear(width, acts)
        self.carry: tuple[torch.Tensor, torch.Tensor] | None = None

    def blank(self, x) -> tuple[torch.Tensor, torch.Tensor]:
        z = x.new_zeros(x.shape[1], self.width)
        return z, z

    def unroll(self, x, state):
        outs = []
        for step in x:
            state = self.cell(torch.tanh(self.embed(step)), state)
            outs.append(self.pi(state[0]))
        return torch.stack(outs), state


class StickyCore(RecurrentCore):
    def forward(self, x):
        start = self.carry or self.blank(x)
        logits, self.carry = self.unroll(x, start)  # expect: TL102
        return logits


class TruncatedCore(RecurrentCore):
    def forward(self, x):
        start = self.carry or self.blank(x)
        logits, end = self.unroll(x, start)
        self.carry = tuple(s.detach() for s in end)  # ok: TL102
        return logits


class EpisodeCore(RecurrentCore):
    """The graph is wanted inside an episode; the runner starts each one with begin()."""

    def begin(self) -> None:
        self.carry = None

    def forward(self, x):
        logits, self.carry = self.unroll(x, self.carry or self.blank(x))  # ok: TL102
        return logits


class FunctionalCore(RecurrentCore):
    def forward(self, x, state=None):
        return self.unroll(x, state or self.blank(x))  # ok: TL102


# ---- demonstration: not part of the graded code ----
def _learns(core: nn.Module, chunks: int = 3) -> bool:
    opt = torch.optim.SGD(core.parameters(), lr=0.1)
    for _ in range(chunks):
        if hasattr(core, "begin"):
            core.begin()
        out = core(torch.randn(4, 2, 3))
        out = out[0] if isinstance(out, tuple) else out
        opt.zero_grad()
        try:
            out.pow(2).sum().backward()
        except RuntimeError as exc:
            assert "second time" in str(exc) or "inplace" in str(exc), exc
            return False
        opt.step()
    return True


def demonstrate():
    assert not _learns(StickyCore())
    assert all(_learns(c()) for c in (TruncatedCore, EpisodeCore, FunctionalCore))
