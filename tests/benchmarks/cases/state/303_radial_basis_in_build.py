"""Radial basis of an atom network: the base class asks the child to build the centres, and one child forgets to register.

source: distance-expansion layers of crystal and molecule networks (SchNet- and CGCNN-like), pytorch/pytorch#29807
rules: [TL101]
"""
from functools import partial

import torch
import torch.nn as nn

GRIDS = {
    "even": partial(torch.linspace, 0.0),
    "log": lambda stop, steps: torch.logspace(-1.0, float(torch.tensor(stop).log10()), steps),
}


class RadialBasis(nn.Module):
    def __init__(self, cutoff: float, count: int, grid: str = "even"):
        super().__init__()
        self.cutoff = cutoff
        mu = GRIDS[grid](cutoff, count)
        self.gamma = float(1.0 / (mu[1] - mu[0]) ** 2)  # ok: TL101
        self.build(mu)

    def build(self, mu: torch.Tensor) -> None:
        raise NotImplementedError

    def forward(self, dist: torch.Tensor) -> torch.Tensor:
        return torch.exp(-self.gamma * (dist[:, None] - self.mu) ** 2)


class FixedBasis(RadialBasis):
    def build(self, mu):
        mu = mu.clamp(max=self.cutoff)
        self.mu = mu  # expect: TL101


class LearnableBasis(RadialBasis):
    def build(self, mu):
        self.mu = nn.Parameter(mu)  # ok: TL101


class FrozenBasis(RadialBasis):
    def build(self, mu):
        self.mu = nn.Parameter(mu, requires_grad=False)  # ok: TL101


class BufferedBasis(RadialBasis):
    def build(self, mu):
        self.register_buffer("mu", None, persistent=False)
        self.mu = mu.sort().values  # ok: TL101


class Interaction(nn.Module):
    def __init__(self, basis: type[RadialBasis] = FixedBasis, hidden: int = 4, **kw):
        super().__init__()
        self.basis = basis(5.0, 6, **kw)
        self.filter = nn.Linear(6, hidden)

    def forward(self, dist):
        return self.filter(self.basis(dist))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    d = torch.rand(7)
    for basis in (FixedBasis, LearnableBasis, FrozenBasis, BufferedBasis):
        net = Interaction(basis, grid="log")
        net(d)
        try:
            net.to("meta")(d.to("meta"))
            moved = True
        except RuntimeError:
            moved = False
        assert moved is (basis is not FixedBasis), basis
    try:
        Interaction(FixedBasis).half()(d.half())
        raise AssertionError("the float32 centres promote the distances, so the half layer must refuse them")
    except RuntimeError as exc:
        assert "dtype" in str(exc)
