"""Buffers are registered one by one and then collected in a list; a move replaces the buffers, not the members of the list.

source: pytorch/pytorch#29807, pytorch/pytorch#43815
rules: [TL105]
"""
import torch
from torch import nn


def dct_rows(n: int) -> torch.Tensor:
    k = torch.arange(n).float()
    return torch.cos(torch.pi / n * (k[None, :] + 0.5) * k[:, None])


class MultiScaleDct(nn.Module):
    def __init__(self, sizes=(2, 4)):
        super().__init__()
        self.sizes = list(sizes)
        self.gain = nn.Parameter(torch.ones(len(self.sizes)))
        for n in self.sizes:
            self.register_buffer(f"basis_{n}", dct_rows(n), persistent=False)
        self.collect()

    def collect(self) -> None:
        raise NotImplementedError

    def basis(self, i: int) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, x):
        parts = []
        for i, n in enumerate(self.sizes):
            parts.append(self.gain[i] * (x.unfold(-1, n, n) @ self.basis(i).mT).flatten(-2))
        return torch.cat(parts, -1)


class AliasedDct(MultiScaleDct):
    def collect(self):
        self.bases = [getattr(self, f"basis_{n}") for n in self.sizes]  # expect: TL105

    def basis(self, i):
        return self.bases[i]


class KeyedDct(MultiScaleDct):
    def collect(self):
        self.by_size = dict(self.named_buffers())  # expect: TL105

    def basis(self, i):
        return self.by_size[f"basis_{self.sizes[i]}"]


class NamedDct(MultiScaleDct):
    """Only the names are collected."""

    def collect(self):
        self.names = [name for name, _ in self.named_buffers()]  # ok: TL105

    def basis(self, i):
        return getattr(self, self.names[i])


class LearnedDct(MultiScaleDct):
    """Aliases of Parameters are fine: a conversion changes the Parameter in place."""

    def collect(self):
        for n in self.sizes:
            self.register_parameter(f"learned_{n}", nn.Parameter(dct_rows(n)))
        self.rows = [getattr(self, f"learned_{n}") for n in self.sizes]  # ok: TL105

    def basis(self, i):
        return self.rows[i]


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(3, 8)
    for cls, follows in ((AliasedDct, False), (KeyedDct, False), (NamedDct, True), (LearnedDct, True)):
        m = cls()
        m(x)
        m.double()
        try:
            ok = m(x.double()).dtype == torch.float64
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is follows, cls
