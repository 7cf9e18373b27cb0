"""Differentiable compression: cosine basis and quantisation tables are made when the file is imported and read by the layers.

source: flashinfer-ai/flashinfer#2702 (constants placed at import); differentiable codecs rebuilt from scratch
rules: [TL113]
"""
import math
from typing import ClassVar

import torch
from torch import nn

SIDE = 4
STEPS = [16, 11, 10, 16, 12, 12, 14, 19, 14, 13, 16, 24, 14, 17, 22, 29]  # ok: TL113


def _cosines(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    k = torch.arange(n, dtype=torch.float32)
    basis = torch.cos(math.pi / n * (k[None] + 0.5) * k[:, None])
    norm = torch.full((n,), math.sqrt(2 / n))
    norm[0] = math.sqrt(1 / n)
    return basis, norm


BASIS, NORM = _cosines(SIDE)  # expect: TL113
_ROUND_TRIP = torch.linspace(0, 1, SIDE * SIDE)  # ok: TL113  (the self test reads it, no module does)


def to_blocks(x: torch.Tensor) -> torch.Tensor:
    return x.unfold(-2, SIDE, SIDE).unfold(-2, SIDE, SIDE)


class Codec(nn.Module):
    def __init__(self, quality: float = 0.5):
        super().__init__()
        self.quality = quality

    def basis(self) -> torch.Tensor:
        raise NotImplementedError

    def steps(self, like: torch.Tensor) -> torch.Tensor:
        return like.new_tensor(STEPS).view(SIDE, SIDE) * self.quality

    def forward(self, x):
        d = self.basis()
        freq = d @ to_blocks(x) @ d.mT
        q = self.steps(freq)
        return d.mT @ (freq / q).tanh().mul(q) @ d


class ImportedCodec(Codec):
    def basis(self):
        return BASIS * NORM[:, None]


class ClassTableCodec(Codec):
    """The table hangs on the class under an annotation; a helper reads it through type(self)."""

    table: ClassVar[torch.Tensor] = torch.tensor(STEPS, dtype=torch.float32).view(SIDE, SIDE)  # expect: TL113

    def __init__(self, quality: float = 0.5):
        super().__init__(quality)
        basis, norm = _cosines(SIDE)
        self.register_buffer("d", basis * norm[:, None], persistent=False)

    def basis(self):
        return self.d

    def steps(self, like):
        return type(self).table * self.quality


class BufferedCodec(ClassTableCodec):
    """Own copies of both tables; the numbers at the top are a list."""

    def __init__(self, quality: float = 0.5):
        super().__init__(quality)
        self.register_buffer("q", torch.tensor(STEPS, dtype=torch.float32).view(SIDE, SIDE), persistent=False)

    def steps(self, like):
        return self.q * self.quality


def self_test() -> bool:
    return bool(BufferedCodec()(_ROUND_TRIP.view(1, SIDE, SIDE)).isfinite().all())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    assert self_test()
    x = torch.rand(1, 8, 8)
    for cls, follows in ((ImportedCodec, False), (ClassTableCodec, False), (BufferedCodec, True)):
        m = cls()
        m(x)
        try:
            ok = m.to("meta")(x.to("meta")).is_meta and cls().double()(x.double()).dtype == torch.float64
        except RuntimeError:
            ok = False
        assert ok is follows, cls
