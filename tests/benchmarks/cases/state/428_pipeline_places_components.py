"""A pipeline loads components that are handed out in eval mode and only then brings them to the precision that was asked for.

source: ultralytics/ultralytics#23780 (eval before half); pipeline loaders rebuilt from scratch
rules: [TL103, TL303]
"""
from __future__ import annotations

import torch
from torch import nn


class Timed(nn.Module):
    """Time embedding whose table is prepared for evaluation."""

    def __init__(self, dim: int = 4, steps: int = 5):
        super().__init__()
        self.steps = steps
        self.mlp = nn.Linear(1, dim)
        self.ready = None

    @torch.no_grad()
    def _prepare(self) -> torch.Tensor:
        w = self.mlp.weight
        return self.mlp(torch.arange(self.steps, device=w.device, dtype=w.dtype)[:, None] / self.steps)

    def train(self, mode: bool = True):
        super().train(mode)
        self.ready = None if mode else self._prepare()  # expect: TL103
        return self

    def forward(self, t):
        return self._prepare()[t] if self.ready is None else self.ready[t]


class Painter(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.time = Timed(dim)
        self.net = nn.Linear(dim, dim)

    def forward(self, x, t):
        return self.net(x + self.time(t))


class Decoder(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.1))

    def forward(self, x):
        return self.net(x)


def pretrained(weights: dict | None = None) -> Painter:
    net = Painter()
    if weights is not None:
        net.load_state_dict(weights)
    net.eval()
    return net


def build_fast(dtype: torch.dtype = torch.bfloat16) -> Painter:
    net = pretrained()
    return net.to(dtype=dtype)  # expect: TL303


class Pipe:
    def __init__(self, painter: Painter, decoder: Decoder):
        self.painter, self.decoder = painter, decoder

    @classmethod
    def open(cls, dtype: torch.dtype) -> Pipe:
        painter, decoder = Painter(), Decoder()
        for part in (painter, decoder):
            part.eval()
        pipe = cls(painter, decoder)
        pipe.painter.to(dtype)  # expect: TL303
        pipe.decoder.to(dtype)  # ok: TL303
        return pipe

    @classmethod
    def open_ordered(cls, dtype: torch.dtype) -> Pipe:
        painter, decoder = Painter().to(dtype), Decoder().to(dtype)  # ok: TL303
        for part in (painter, decoder):
            part.eval()
        return cls(painter, decoder)

    @classmethod
    def open_again(cls, dtype: torch.dtype) -> Pipe:
        """Evaluation mode is entered once more after the conversion, which prepares the table anew."""
        painter = Painter().eval()
        painter = painter.to(dtype).eval()  # ok: TL303
        return cls(painter, Decoder().to(dtype).eval())  # ok: TL303


# ---- demonstration: not part of the graded code ----
def demonstrate():
    t = torch.tensor([0, 3])
    half = torch.float16
    assert build_fast().time.ready.dtype == torch.float32
    for make, right in ((Pipe.open, False), (Pipe.open_ordered, True), (Pipe.open_again, True)):
        p = make(half)
        try:
            ok = p.decoder(p.painter(torch.randn(2, 4).to(half), t)).dtype == half
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is right, make
