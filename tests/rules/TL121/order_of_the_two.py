"""The write must come after the read in one call; in a loop the next round's write does."""
import torch
from torch import nn


class Order(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.register_buffer("gain", torch.ones(dim))
        self.plain = torch.ones(dim)


class WrittenFirst(Order):
    def forward(self, x):
        self.gain += 1  # ok: TL121
        return self.mix(x) * self.gain


class WrittenEachRound(Order):
    def forward(self, x):
        for _ in range(3):
            self.gain += 1  # expect: TL121
            x = self.mix(x) * self.gain
        return x


class EitherOr(Order):
    def forward(self, x):
        if self.training:
            self.gain += 1  # ok: TL121
            return self.mix(x)
        return self.mix(x) * self.gain


class OfAnotherCall(Order):
    def update(self):
        self.gain += 1  # ok: TL121  the training loop calls it after backward

    def forward(self, x):
        return self.mix(x) * self.gain


def trains(module: nn.Module) -> bool:
    try:
        module(torch.randn(2, 3)).sum().backward()
    except RuntimeError as error:
        assert "inplace operation" in str(error)
        return False
    return True


def demonstrate():
    assert not trains(WrittenEachRound())
    for kind in (WrittenFirst, EitherOr, OfAnotherCall):
        assert trains(kind()), kind
