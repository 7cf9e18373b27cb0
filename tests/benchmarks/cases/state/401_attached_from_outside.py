"""Free functions furnish a module from outside: one writes tensors onto it, one registers them, chosen by a table of builders.

source: random Fourier features of implicit networks (projection kept as a plain tensor); rebuilt from scratch
rules: [TL101]
"""
import math
from typing import Callable

import torch
from torch import nn


def furnish_gaussian(host: nn.Module, dims: int, rows: int, sigma: float) -> None:
    host.proj = torch.randn(dims, rows) * sigma  # expect: TL101


def furnish_octaves(host: nn.Module, dims: int, rows: int, sigma: float) -> None:
    bands = 2.0 ** torch.arange(rows // dims)
    host.register_buffer("proj", torch.kron(torch.eye(dims), bands[None]))  # ok: TL101


def furnish_none(host: nn.Module, dims: int, rows: int, sigma: float) -> None:
    host.proj = None  # ok: TL101
    host.rows = 2 * rows  # ok: TL101


FURNISHERS: dict[str, Callable[[nn.Module, int, int, float], None]] = {
    "gaussian": furnish_gaussian,
    "octaves": furnish_octaves,
}


class Field(nn.Module):
    def __init__(self, kind: str, dims: int = 2, rows: int = 4, sigma: float = 3.0):
        super().__init__()
        self.kind = kind
        if kind == "gaussian":
            furnish_gaussian(self, dims, rows, sigma)
        else:
            furnish_octaves(self, dims, rows, sigma)
        self.net = nn.Sequential(nn.Linear(2 * rows, 8), nn.ReLU(), nn.Linear(8, 1))

    def lift(self, x: torch.Tensor) -> torch.Tensor:
        ang = 2 * math.pi * x @ self.proj
        return torch.cat([ang.sin(), ang.cos()], -1)

    def forward(self, x):
        return self.net(self.lift(x))


class OctaveField(nn.Module):
    """Only the registering builder is ever called for this class."""

    def __init__(self, dims: int = 2, rows: int = 4):
        super().__init__()
        FURNISHERS["octaves"](self, dims, rows, 0.0)
        self.net = nn.Linear(2 * rows, 1)

    def forward(self, x):
        ang = x @ self.proj
        return self.net(torch.cat([ang.sin(), ang.cos()], -1))


class PlainField:
    """Not a module: nothing would move it anyway."""

    def __init__(self, rows: int = 4):
        self.proj = torch.randn(2, rows)  # ok: TL101

    def __call__(self, x):
        return (x @ self.proj).sin()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.rand(5, 2)
    for make, follows in ((lambda: Field("gaussian"), False), (lambda: Field("octaves"), True), (OctaveField, True)):
        m = make()
        assert m(x).shape == (5, 1)
        assert ("proj" in m.state_dict()) is follows
        try:
            ok = m.double()(x.double()).dtype == torch.float64
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is follows
    assert PlainField()(x).shape == (5, 4)
