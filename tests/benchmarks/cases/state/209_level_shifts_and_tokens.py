"""Anchor shifts per pyramid level in a list, prompt tokens per task in a dict: neither is seen by .to() or the optimizer.

source: zhiqwang/yolort#94 and Lightning-AI/pytorch-lightning#2638 (priors on the wrong device), prompt pools of continual learning
rules: [TL105, TL101]
"""
import itertools
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Levels:
    strides: tuple = (1, 2)
    sizes: list = field(default_factory=lambda: [4, 2])

    def shifts(self, i: int) -> torch.Tensor:
        s, n = self.strides[i], self.sizes[i]
        axis = (torch.arange(n, dtype=torch.float32) + 0.5) * s
        y, x = torch.meshgrid(axis, axis, indexing="ij")
        return torch.stack([x, y, x, y], dim=-1).reshape(-1, 4)


class Decoder(nn.Module):
    def __init__(self, levels: Levels):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(len(levels.sizes)))
        self.prepare(levels)

    def forward(self, deltas):
        return [d * s + a for d, s, a in zip(deltas, self.scale, self.per_level())]


class ListedDecoder(Decoder):
    def prepare(self, levels):
        self.shifts = [levels.shifts(i) for i in range(len(levels.sizes))]  # expect: TL105
        self.rows = [len(s) for s in self.shifts]  # ok: TL105

    def per_level(self):
        return self.shifts


class NumberedDecoder(Decoder):
    def prepare(self, levels):
        self.count = len(levels.sizes)
        for i in range(self.count):
            self.register_buffer(f"shift{i}", levels.shifts(i), persistent=False)  # ok: TL107

    def per_level(self):
        return (getattr(self, f"shift{i}") for i in range(self.count))


class JoinedDecoder(Decoder):
    """One buffer; the list is made of views whenever it is asked for."""

    def prepare(self, levels):
        parts = [levels.shifts(i) for i in range(len(levels.sizes))]
        self.rows = list(map(len, parts))  # ok: TL105
        self.register_buffer("all_shifts", torch.cat(parts), persistent=False)

    def per_level(self):
        return self.all_shifts.split(self.rows)


class PromptPool(nn.Module):
    def __init__(self, tasks, length: int = 2, dim: int = 4):
        super().__init__()
        self.out = nn.Linear(dim, 1)
        self.tokens = {t: nn.Parameter(torch.randn(length, dim)) for t in tasks}  # expect: TL105

    def forward(self, x, task):
        lead = self.tokens[task].expand(len(x), -1, -1)
        return self.out(torch.cat([lead, x], 1))


class RegisteredPromptPool(PromptPool):
    def __init__(self, tasks, length: int = 2, dim: int = 4):
        nn.Module.__init__(self)
        self.out = nn.Linear(dim, 1)
        made = {t: nn.Parameter(torch.randn(length, dim)) for t in tasks}
        self.tokens = nn.ParameterDict(made)  # ok: TL105, TL107
        self.order = list(itertools.chain(made))  # ok: TL105


# ---- demonstration: not part of the graded code ----
def demonstrate():
    deltas = [torch.randn(16, 4), torch.randn(4, 4)]
    for cls, follows in ((ListedDecoder, False), (NumberedDecoder, True), (JoinedDecoder, True)):
        m = cls(Levels())
        assert [len(t) for t in m(deltas)] == [16, 4]
        m.to("meta")
        try:
            ok = all(t.is_meta for t in m([d.to("meta") for d in deltas]))
        except RuntimeError:
            ok = False
        assert ok is follows, cls
    assert len(list(PromptPool("ab").parameters())) == 2
    assert len(list(RegisteredPromptPool("ab").parameters())) == 4
    assert RegisteredPromptPool("ab")(torch.randn(2, 3, 4), "a").shape == (2, 5, 1)
