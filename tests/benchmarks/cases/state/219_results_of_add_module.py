"""The registering calls are used as expressions: in a conditional, in a chain, in a loop with setattr-like helpers.

source: chemprop/chemprop#766 and forum reports of `self.x = self.register_buffer(...)`
rules: [TL115]
"""
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self, n: int, causal: bool = True):
        super().__init__()
        self.n, self.causal = n, causal
        self.proj = nn.Linear(n, n)
        self.build()

    def triangle(self) -> torch.Tensor:
        return torch.ones(self.n, self.n).tril()

    def build(self) -> None:
        pass

    def forward(self, x):
        y = self.proj(x)
        return y if self.mask is None else y @ self.mask


class ConditionalMask(Masked):
    def build(self):
        self.mask = self.register_buffer("mask", self.triangle()) if self.causal else None  # expect: TL115


class OtherNameMask(Masked):
    def build(self):
        tri = self.triangle()
        self.mask = self.register_buffer("_mask", tri, persistent=False)  # expect: TL115


class RegisteredMask(Masked):
    def build(self):
        self.register_buffer("mask", self.triangle() if self.causal else None, persistent=False)  # ok: TL115


class ReturningBase(Masked):
    """A helper with a similar name that does return what it registered."""

    def register_constant(self, name: str, value: torch.Tensor) -> torch.Tensor:
        self.register_buffer(name, value, persistent=False)
        return getattr(self, name)

    def build(self):
        self.mask = self.register_constant("mask", self.triangle())  # ok: TL115
        self.hook = self.proj.register_forward_hook(lambda m, a, out: out)  # ok: TL115
        self.same = self.get_submodule("proj")  # ok: TL115


class Tower(nn.Module):
    def __init__(self, dim: int = 2, shared: bool = False):
        super().__init__()
        self.first = self.add_module("lower", nn.Linear(dim, dim))  # expect: TL115
        self.last = self.lower if shared else nn.Linear(dim, dim)  # ok: TL115

    def forward(self, x):
        return self.last(x if self.first is None else self.first(x))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 3)
    for cls, masks in ((ConditionalMask, False), (OtherNameMask, False), (RegisteredMask, True), (ReturningBase, True)):
        m = cls(3)
        assert (m.mask is not None) is masks, cls
        assert torch.equal(m(x), m.proj(x)) is not masks
    t = Tower()
    assert t.first is None and "lower.weight" in t.state_dict()
    y = torch.randn(1, 2)
    assert torch.equal(t(y), t.last(y)), "the lower layer is silently skipped"
