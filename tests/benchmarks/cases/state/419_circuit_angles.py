"""Variational circuits spread trainable angles over attributes; where the angle is scaled decides whether it is trainable.

source: pytorch/pytorch#17484, pytorch/pytorch#94828 (an operation on a Parameter gives a plain tensor); rebuilt from scratch
rules: [TL114]
"""
import math

import torch
from torch import nn


class Circuit(nn.Module):
    def __init__(self, wires: int = 3, layers: int = 2, learn: bool = True):
        super().__init__()
        self.wires, self.layers = wires, layers
        for i in range(layers):
            self.place(i, learn)

    def place(self, i: int, learn: bool) -> None:
        raise NotImplementedError

    def forward(self, x):
        for i in range(self.layers):
            x = torch.cos(x + getattr(self, f"angle{i}"))
        return x.mean(-1)


class TurnedCircuit(Circuit):
    def place(self, i, learn):
        setattr(self, f"angle{i}", nn.Parameter(torch.rand(self.wires)) * math.tau)  # expect: TL114


class CentredCircuit(Circuit):
    """Centred between -pi and pi, and only then stored."""

    def place(self, i, learn):
        raw = nn.Parameter(torch.rand(self.wires), requires_grad=learn)
        angle = raw.mul(math.tau).sub(math.pi)
        setattr(self, f"angle{i}", angle)  # expect: TL114


class DataCircuit(Circuit):
    """The numbers behind the Parameter are stored, not the Parameter."""

    def __init__(self, wires: int = 3, layers: int = 2, learn: bool = True):
        super().__init__(wires, layers, learn)
        self.phase = nn.init.uniform_(nn.Parameter(torch.empty(wires)), 0, math.tau).data  # expect: TL114

    def place(self, i, learn):
        setattr(self, f"angle{i}", nn.Parameter(torch.rand(self.wires)))  # ok: TL114

    def forward(self, x):
        return super().forward(x + self.phase)


class GoodCircuit(Circuit):
    def place(self, i, learn):
        start = torch.rand(self.wires).mul(math.tau)
        angle = nn.Parameter(start).requires_grad_(learn)
        setattr(self, f"angle{i}", angle)  # ok: TL114


class ScaledReadCircuit(Circuit):
    """Initialisers return the Parameter they were given; the scale is applied at the read."""

    def place(self, i, learn):
        setattr(self, f"angle{i}", nn.init.uniform_(nn.Parameter(torch.empty(self.wires)), -0.5, 0.5))  # ok: TL114

    def forward(self, x):
        return super().forward(math.tau * x)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 3)
    for cls, want in ((TurnedCircuit, 0), (CentredCircuit, 0), (DataCircuit, 2), (GoodCircuit, 2), (ScaledReadCircuit, 2)):
        m = cls()
        assert m(x).shape == (2,)
        assert len(list(m.parameters())) == want, cls
    assert not isinstance(DataCircuit().phase, nn.Parameter)
