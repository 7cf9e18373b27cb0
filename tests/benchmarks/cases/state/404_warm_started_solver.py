"""A deep equilibrium block starts its solver from the solution of the previous call, which it keeps together with its graph.

source: deep equilibrium models with warm start; symptom of pytorch/pytorch#71062 (backward a second time)
rules: [TL102]
"""
from typing import Callable

import torch
from torch import nn


def iterate(f: Callable[[torch.Tensor], torch.Tensor], z: torch.Tensor, steps: int) -> torch.Tensor:
    for _ in range(steps):
        z = f(z)
    return z


class Equilibrium(nn.Module):
    def __init__(self, dim: int = 4, batch: int = 2, steps: int = 6):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.inject = nn.Linear(dim, dim)
        self.steps = steps
        nn.init.normal_(self.mix.weight, std=0.05)
        self.set_start(batch, dim)

    def set_start(self, batch: int, dim: int) -> None:
        raise NotImplementedError

    def solve(self, x: torch.Tensor, guess: torch.Tensor) -> torch.Tensor:
        return iterate(lambda z: torch.tanh(self.mix(z) + self.inject(x)), guess, self.steps)


class WarmEquilibrium(Equilibrium):
    def set_start(self, batch, dim):
        self.guess = self.inject.bias.new_zeros(batch, dim)  # use: TL101, TL106

    def forward(self, x):
        z = self.solve(x, self.guess)
        self.guess = z  # expect: TL102
        return z


class SetattrEquilibrium(WarmEquilibrium):
    slot = "guess"

    def remember(self, z: torch.Tensor) -> None:
        setattr(self, self.slot, torch.lerp(self.guess, z, 0.9))  # expect: TL102

    def forward(self, x):
        z = self.solve(x, self.guess)
        self.remember(z)
        return z


class CutEquilibrium(Equilibrium):
    """The start is a buffer, the search runs without a graph, and one attached step follows."""

    def set_start(self, batch, dim):
        self.register_buffer("guess", torch.zeros(batch, dim), persistent=False)

    def forward(self, x):
        with torch.no_grad():
            self.guess = self.solve(x, self.guess)  # ok: TL102
        return torch.tanh(self.mix(self.guess) + self.inject(x))


class ColdEquilibrium(Equilibrium):
    """Keeps how far it got as a number and starts from zero each time."""

    def set_start(self, batch, dim):
        self.residual = 0.0

    def forward(self, x):
        z = self.solve(x, torch.zeros_like(x))
        self.residual = float((self.solve(x, z.detach()) - z).detach().norm())  # ok: TL102
        return z


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    for cls, fine in ((WarmEquilibrium, False), (SetattrEquilibrium, False), (CutEquilibrium, True), (ColdEquilibrium, True)):
        m = cls()
        try:
            for _ in range(3):
                m(torch.randn(2, 4)).pow(2).sum().backward()
            ok = True
        except RuntimeError as exc:
            assert "second time" in str(exc), exc
            ok = False
        assert ok is fine, cls
