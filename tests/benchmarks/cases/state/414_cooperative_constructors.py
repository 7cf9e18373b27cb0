"""Cooperative classes pass their keyword arguments on with super().__init__(**kw); some create their state before they do.

source: pyg-team/pytorch_geometric#681, Genentech/gReLU#188 (assignment before the base constructor); rebuilt from scratch
rules: [TL109]
"""
import functools

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, dim: int = 3, **rest):
        super().__init__()
        assert not rest, rest
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        return self.lin(x)


class WithGain(Base):
    def __init__(self, *, gain: float = 1.0, **kw):
        start = torch.tensor(gain)
        self.gain = nn.Parameter(start)  # expect: TL109
        super().__init__(**kw)

    def forward(self, x):
        return super().forward(x) * self.gain


class WithMask(Base):
    def _declare(self, n: int) -> None:
        self.register_buffer("mask", torch.ones(n))  # expect: TL109

    def __init__(self, *, keep: int = 3, **kw):
        self._declare(keep)
        super().__init__(**kw)


class WithSetter(Base):
    """A setting is written; the setter of the property turns it into a module."""

    kinds = {"relu": nn.ReLU, "tanh": nn.Tanh}

    def __init__(self, *, act: str = "relu", **kw):
        self.act = act  # ok: TL109
        super().__init__(**kw)

    @property
    def act(self) -> str:
        return type(self._act).__name__

    @act.setter
    def act(self, value: str) -> None:
        self._act = self.kinds[value]()  # expect: TL109


class WithFactory(Base):
    """Settings, a recipe and a local module before; the assignment after."""

    def __init__(self, *, width: int = 3, **kw):
        self.make = functools.partial(nn.Linear, width)  # ok: TL109
        self.block_class = nn.Linear  # ok: TL109
        first = self.make(width)
        kw.setdefault("dim", width)
        super().__init__(**kw)
        self.first = first  # ok: TL109


class WithPlainTensor(Base):
    def __init__(self, *, keep: int = 3, **kw):
        picked = torch.arange(keep)  # ok: TL109
        self.count = int(picked.sum())  # ok: TL109
        self.names = [f"c{i}" for i in picked.tolist()]  # ok: TL109
        super().__init__(dim=keep, **kw)
        self.register_buffer("picked", picked)  # ok: TL109


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for make in (WithGain, WithMask, WithSetter):
        try:
            make()
            raise AssertionError(f"{make} should refuse")
        except AttributeError as exc:
            assert "before Module.__init__" in str(exc), exc
    assert len(list(WithFactory().parameters())) == 4
    assert "picked" in WithPlainTensor().state_dict()
