"""Feature taps: hooks and a penalty over remembered activations; what is remembered decides whether the graph lives on.

source: jmschrei/tangermeme#84 (activations kept on modules), feature-matching losses, pytorch/pytorch#13246-style growth
rules: [TL102]
"""
from __future__ import annotations

import torch
from torch import nn


class Tapped(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.body = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, 1)
        self.average = None  # use: TL122

    def note(self, h) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, x):
        h = self.body(x).tanh()
        return self.head(h).mean() + self.note(h)


class GrowingTap(Tapped):
    """A moving average of activations, and each average holds the graph of all calls before it."""

    def note(self, h):
        centre = h.mean(0)
        if self.average is None:
            self.average = torch.zeros_like(centre)  # use: TL102, TL104
        self.average = 0.9 * self.average + 0.1 * centre  # expect: TL102
        return (h - self.average).square().mean()


class MappingTap(Tapped):
    """The same through vars() and a differently named key."""

    def note(self, h):
        space = self.__dict__
        last = space.get("last_h", h)
        space["last_h"] = h  # expect: TL102
        return (h.mean(0) - last.mean(0)).square().sum()


class CutTap(Tapped):
    def note(self, h):
        centre = h.mean(0)
        with torch.no_grad():
            old = torch.zeros_like(centre) if self.average is None else self.average
            self.average = 0.9 * old.to(centre) + 0.1 * centre  # ok: TL102
        return (h - self.average).square().mean()


class BufferTap(Tapped):
    def __init__(self, dim: int = 3):
        super().__init__(dim)
        del self.average
        self.register_buffer("average", torch.zeros(dim))

    def note(self, h):
        mixed = 0.9 * self.average + 0.1 * h.mean(0)
        self.average = mixed.detach()  # ok: TL102
        return (h - mixed).square().mean()


class CountingTap(Tapped):
    def note(self, h):
        self.average = h.mean().item()  # ok: TL102
        self.seen_shape = h.shape  # ok: TL102
        return h.new_tensor(self.average) * 0.0


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, learns in ((GrowingTap, False), (MappingTap, False), (CutTap, True), (BufferTap, True), (CountingTap, True)):
        net = cls()
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        ok = True
        for _ in range(3):
            opt.zero_grad()
            try:
                net(torch.randn(4, 3)).backward()
            except RuntimeError as exc:
                assert "second time" in str(exc) or "inplace" in str(exc), exc
                ok = False
                break
            opt.step()
        assert ok is learns, cls
