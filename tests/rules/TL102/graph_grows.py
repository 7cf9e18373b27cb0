"""Computed from its own last value: the graph of all calls stays alive, and a reset elsewhere does not change that."""
import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.reset()

    def reset(self) -> None:
        self.memory = None
        self.seen = 0

    def forward(self, x):
        out = x if self.memory is None else x @ self.memory
        self.update(self.key(x))
        return out + self.key(x)


class Attached(Memory):
    def update(self, k):
        if self.memory is None:
            self.memory = k.mT @ k  # expect: TL102
        else:
            self.memory = self.memory + k.mT @ k  # expect: TL102
        self.seen += len(k)  # ok: TL102


class Averaged(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.average = torch.zeros(dim)  # expect: TL122  one subclass detaches it

    def forward(self, x):
        out = self.mix(x)
        self.average = 0.9 * self.average + 0.1 * out.mean(0)  # expect: TL102
        return out - self.average


class AveragedWithoutGraph(Averaged):
    def forward(self, x):
        out = self.mix(x)
        self.average = 0.9 * self.average + 0.1 * out.mean(0).detach()  # ok: TL102
        return out - self.average


class Detached(Memory):
    def update(self, k):
        k = k.detach()
        self.memory = k.mT @ k if self.memory is None else self.memory + k.mT @ k  # ok: TL102


class WithoutGrad(Memory):
    @torch.no_grad()
    def update(self, k):
        self.memory = k.mT @ k if self.memory is None else self.memory + k.mT @ k  # ok: TL102


def trains_thrice(module: nn.Module) -> bool:
    for _ in range(3):
        try:
            module(torch.ones(2, 4)).sum().backward()
        except RuntimeError as error:
            assert "second time" in str(error)
            return False
    return True


def demonstrate():
    for kind, works in (
        (Attached, False), (Averaged, False), (AveragedWithoutGraph, True), (Detached, True), (WithoutGrad, True),
    ):
        assert trains_thrice(kind()) is works, kind
