"""A slimmable quantised layer recomputes its codes when the bit width changes, although they are made of the weight.

source: NVIDIA/Model-Optimizer#2443 (cache keys), multi-precision ("any-precision") networks that switch bits between batches
rules: [TL104]
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Switchable(nn.Linear):
    bits = 8

    def choose(self, bits: int) -> "Switchable":
        self.bits = bits
        return self

    def grid(self, bits: int, **kw) -> torch.Tensor:
        return torch.linspace(-1.0, 1.0, 2**bits, **kw)

    def snap(self, bits: int) -> torch.Tensor:
        top = self.weight.detach().abs().amax()
        levels = self.grid(bits, device=self.weight.device, dtype=self.weight.dtype)
        mid = (levels[1:] + levels[:-1]) / 2
        return levels[torch.bucketize(self.weight.detach() / top, mid)] * top


class SnappedOnSwitch(Switchable):
    _width = None

    def forward(self, x):
        if self.bits != self._width:
            self._codes = self.snap(self.bits)  # expect: TL104
            self._width = self.bits
        return F.linear(x, self._codes, self.bias)


class SnappedAlways(Switchable):
    """Only the levels are kept, and they depend on nothing but what the key names."""

    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self._levels = {}

    def grid(self, bits, **kw):
        key = (bits, kw["device"], kw["dtype"])
        if key not in self._levels:
            self._levels[key] = super().grid(bits, **kw)  # ok: TL104, TL102
        return self._levels[key]

    def forward(self, x):
        return F.linear(x, self.snap(self.bits), self.bias)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(4, 3)
    for cls, follows in ((SnappedOnSwitch, False), (SnappedAlways, True)):
        m, fresh = cls(3, 2).choose(3), cls(3, 2).choose(3)
        m(x)
        m.load_state_dict(fresh.state_dict())
        assert torch.allclose(m(x), fresh(x)) is follows, cls
        assert torch.allclose(m.choose(4)(x), fresh.choose(4)(x)), "a switch refreshes"
        m.double()
        try:
            ok = m(x.double()).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is follows, cls
