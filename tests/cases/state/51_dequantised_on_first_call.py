"""Quantised linear layers unpack their weight on the first call; some keep the result past a new checkpoint or a conversion.

source: weight-only quantisation layers (unpack once), NVIDIA/Model-Optimizer#2443 (cache keys), tenstorrent/tt-metal#55014
rules: [TL104]
"""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


class PackedLinear(nn.Module):
    def __init__(self, a: int = 4, b: int = 3):
        super().__init__()
        self.register_buffer("packed", torch.randint(-8, 8, (b, a), dtype=torch.int8))
        self.register_buffer("step", torch.rand(b, 1) * 0.1 + 0.01)
        self.bias = nn.Parameter(torch.zeros(b))

    def unpack(self) -> torch.Tensor:
        return self.packed.to(self.step.dtype) * self.step

    @property
    def dense(self) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, x):
        return F.linear(x, self.dense, self.bias)


class KeepingLinear(PackedLinear):
    def __init__(self, a: int = 4, b: int = 3):
        super().__init__(a, b)
        self._dense: torch.Tensor | None = None

    @property
    def dense(self):
        if self._dense is None:
            self._dense = self.unpack()  # expect: TL104
        return self._dense


class DtypeKeyedLinear(PackedLinear):
    """Knows device and dtype; a new set of codes under the same placement is not noticed."""

    def __init__(self, a: int = 4, b: int = 3):
        super().__init__(a, b)
        self._by_place: dict = {}

    @property
    def dense(self):
        place = self.step.device, self.step.dtype
        try:
            return self._by_place[place]
        except KeyError:
            return self._by_place.setdefault(place, self.unpack())  # expect: TL104


class AlwaysLinear(PackedLinear):
    @property
    def dense(self):
        return self.unpack()  # ok: TL104


class DroppingLinear(KeepingLinear):
    @property
    def dense(self):
        if self._dense is None:
            self._dense = self.unpack()  # ok: TL104
        return self._dense

    def _apply(self, fn, recurse=True):
        self._dense = None
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self._dense = None
        super()._load_from_state_dict(*args, **kwargs)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 4)
    for cls, load, move in (
        (KeepingLinear, False, False), (DtypeKeyedLinear, False, True), (AlwaysLinear, True, True), (DroppingLinear, True, True),
    ):
        net = nn.Sequential(cls())
        net(x)
        net.load_state_dict(nn.Sequential(cls()).state_dict())
        assert torch.allclose(net(x), F.linear(x, net[0].unpack(), net[0].bias), atol=1e-5) is load, cls
        net = nn.Sequential(cls())
        net(x)
        try:
            ok = net.double()(x.double()).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is move, cls
