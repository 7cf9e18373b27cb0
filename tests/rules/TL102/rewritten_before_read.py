"""Each call writes the attribute before it reads it: nothing crosses from one call to the next."""
import torch
from torch import nn


class Hands(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.carried = 0.0

    def encode(self, x):
        self.hidden = self.mix(x)  # ok: TL102  decode() of the same call reads it

    def decode(self):
        return self.hidden.relu()

    def forward(self, x):
        self.encode(x)
        out = self.decode() + self.carried
        self.carried = self.mix(out)  # expect: TL102
        return out


class LastOfLoop(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)

    def forward(self, x):
        self.state = x  # ok: TL102
        for _ in range(2):
            self.state = self.mix(self.state)  # ok: TL102  it starts anew in each call
        return self.state


class ReadAfterLoop(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(dim, dim) for _ in range(2))

    def forward(self, x):
        for block in self.blocks:
            self.state = block(x)  # ok: TL102  read when the loop is over
        return self.state


class LoopBeforeRead(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.state = None

    def forward(self, x):
        out = 0.0
        for part in x:
            if self.state is not None:
                out = out + self.state
            self.state = self.mix(part)  # expect: TL102
        return out + self.state


def trains_twice(module: nn.Module) -> bool:
    for _ in range(2):
        try:
            module(torch.ones(2, 4)).sum().backward()
        except RuntimeError:
            return False
    return True


def demonstrate():
    assert not trains_twice(Hands())
    assert trains_twice(LastOfLoop())
    assert trains_twice(ReadAfterLoop())
    assert not trains_twice(LoopBeforeRead())
