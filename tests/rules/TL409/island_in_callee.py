"""The island is in a method, a helper or a module, and the caller's region made the value it is given."""
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    def forward(self, hidden):
        with torch.autocast("cpu", enabled=False):
            return self.proj(hidden)  # expect: TL409


class CastingGate(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    @torch.autocast("cpu", enabled=False)
    def forward(self, hidden):
        return self.proj(hidden.float())  # ok: TL409


class InputGate(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    @torch.autocast("cpu", enabled=False)
    def forward(self, hidden):
        return self.proj(hidden)  # ok: TL409  it gets the input of the block


def route(layer: nn.Linear, hidden):
    with torch.autocast("cpu", enabled=False):
        return layer(hidden)  # expect: TL409


class Block(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.inner = nn.Linear(dim, dim)
        self.router = nn.Linear(dim, dim)
        self.gate, self.casting, self.early = Gate(dim), CastingGate(dim), InputGate(dim)

    def encode(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.inner(x)

    @torch.autocast("cpu", enabled=False)
    def decide(self, hidden):
        return self.router(hidden)  # expect: TL409

    def never_called(self, hidden):
        with torch.autocast("cpu", enabled=False):
            return self.router(hidden)  # ok: TL409  where it comes from is out of sight

    def by_module(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.gate(self.inner(x))

    def by_casting_module(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.casting(self.inner(x)) + self.early(x)

    def by_method(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.inner(x)
            return self.decide(hidden)

    def by_helper(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return route(self.router, self.inner(x).relu())

    def by_region_of_method(self, x):
        hidden = self.encode(x)
        with torch.autocast("cpu", enabled=False):
            return self.router(hidden)  # expect: TL409

    def with_cast(self, x):
        hidden = self.encode(x)
        with torch.autocast("cpu", enabled=False):
            return self.router(hidden.to(torch.float32))  # ok: TL409


def demonstrate():
    x = torch.rand(2, 4)
    block = Block()
    for run in (block.by_module, block.by_method, block.by_helper, block.by_region_of_method):
        try:
            run(x)
            raise AssertionError(run)
        except RuntimeError as error:
            assert "dtype" in str(error)
    block.by_casting_module(x)
    block.with_cast(x)
