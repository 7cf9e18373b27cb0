"""Stored with its graph in one call and read back in the next; cutting the graph is the remedy."""
import torch
from torch import nn


class Recurrent(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.last = None

    def previous(self):
        return 0.0 if self.last is None else self.last


class Attached(Recurrent):
    def forward(self, x):
        out = self.mix(x)
        if self.last is not None:
            out = out + self.last
        self.last = out.mean(0)  # expect: TL102
        return out


class ReadByHelper(Recurrent):
    def forward(self, x):
        out = self.mix(x) + self.previous()
        self.last = out.mean(0)  # expect: TL102
        return out


class Detached(Recurrent):
    def forward(self, x):
        out = self.mix(x) + self.previous()
        self.last = out.mean(0).detach()  # ok: TL102
        return out


class DetachedInPlace(Recurrent):
    def forward(self, x):
        out = self.mix(x) + self.previous()
        last = out.mean(0).clone().detach_()
        self.last = last  # ok: TL102
        return out


class Passed(Recurrent):
    def forward(self, x, last=0.0):
        out = self.mix(x) + last
        return out, out.mean(0)  # ok: TL102  the caller owns the state


def trains_twice(module: nn.Module) -> bool:
    for _ in range(2):
        try:
            module(torch.ones(2, 4)).sum().backward()
        except RuntimeError as error:
            assert "second time" in str(error)
            return False
    return True


def demonstrate():
    assert not trains_twice(Attached())
    assert not trains_twice(ReadByHelper())
    assert trains_twice(Detached())
    assert trains_twice(DetachedInPlace())
