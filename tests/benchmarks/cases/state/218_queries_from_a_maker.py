"""Learned queries come from a small maker function; what it returns after scaling or placing is no Parameter any more.

source: SimonThomine/RememberingNormality#7, shenweichen/DeepCTR-Torch#87, Linardos/SalEMA#7, pytorch/pytorch#9303
rules: [TL114]
"""
import torch
from torch import nn
from torch.nn import Parameter as P


class Memory(nn.Module):
    """Reads a memory of keys and values; children decide how the memory is made."""

    def __init__(self, slots: int = 4, dim: int = 3, where="cpu", kind=torch.float64):
        super().__init__()
        self.slots, self.dim, self.where, self.kind = slots, dim, where, kind
        self.make()
        self.proj = nn.Linear(dim, dim, dtype=kind)

    def random(self, *shape: int, std: float = 0.02) -> torch.Tensor:
        return std * torch.randn(*shape)

    def forward(self, x):
        weight = (self.proj(x) @ self.keys.T).softmax(-1)
        return weight @ self.values


class PlacedMemory(Memory):
    def make(self):
        self.keys = P(self.random(self.slots, self.dim)).to(device=self.where, dtype=self.kind)  # expect: TL114
        self.values = P(self.random(self.slots, self.dim), requires_grad=True).double()  # expect: TL114


def learned(*shape: int, std: float = 0.02) -> torch.Tensor:
    return P(torch.randn(*shape, dtype=torch.float64)) * std


class MadeMemory(Memory):
    def make(self):
        self.keys = learned(self.slots, self.dim)  # expect: TL114
        self.values = learned(self.slots, self.dim, std=1.0)  # expect: TL114


class RightMemory(Memory):
    """Scaled and placed before the wrapping; what follows it keeps the type."""

    def make(self):
        self.keys = P(self.random(self.slots, self.dim).to(self.where, self.kind))  # ok: TL114
        self.values = P(torch.zeros(self.slots, self.dim, dtype=self.kind)).requires_grad_(True)  # ok: TL114
        with torch.no_grad():
            self.values.copy_(self.random(self.slots, self.dim))


class LaterMemory(RightMemory):
    """The Parameter object stays, its data is replaced."""

    def make(self):
        super().make()
        self.keys.data = self.keys.data.mul(2.0).to(self.kind)  # ok: TL114
        self.temperature = P(torch.ones(())).item() * 0.5  # ok: TL114

    def forward(self, x):
        return super().forward(x) * self.temperature


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 3, dtype=torch.float64)
    for cls, learns in ((PlacedMemory, False), (MadeMemory, False), (RightMemory, True), (LaterMemory, True)):
        m = cls()
        m(x).sum().backward()
        assert ({"keys", "values"} <= set(dict(m.named_parameters()))) is learns, cls
        assert ("keys" in m.state_dict()) is learns
