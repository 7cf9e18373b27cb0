"""A class that hands the members to torch by itself knows what it does."""
import torch
from torch import nn


class Applies(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.grids = [torch.ones(dim)]  # ok: TL105

    def _apply(self, fn, recurse=True):
        self.grids = [fn(grid) for grid in self.grids]
        return super()._apply(fn, recurse)

    def forward(self, x):
        return x + self.grids[0]


class AppliesLater(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.grids = {"a": torch.ones(dim)}  # ok: TL105

    def _apply(self, fn, recurse=True):
        this = super()._apply(fn, recurse)
        for key, grid in this.grids.items():
            this.grids[key] = fn(grid)
        return this

    def forward(self, x):
        return x + self.grids["a"]


class Gives(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.layers = [nn.Linear(dim, dim) for _ in range(2)]  # ok: TL105

    def parameters(self, recurse: bool = True):
        for layer in self.layers:
            yield from layer.parameters(recurse)

    def forward(self, x):
        return self.layers[1](self.layers[0](x))


class MovesOnly(nn.Module):
    """An overridden to() is not called by a parent's."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.layers = [nn.Linear(dim, dim) for _ in range(2)]  # expect: TL105

    def to(self, *args, **kwargs):
        for layer in self.layers:
            layer.to(*args, **kwargs)
        return super().to(*args, **kwargs)

    def forward(self, x):
        return self.layers[1](self.layers[0](x))


class Unused(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.layers = [nn.Linear(dim, dim)]  # ok: TL105  nobody reads it

    def forward(self, x):
        return x


class NoModule:
    def __init__(self, dim: int = 3):
        self.layers = [nn.Linear(dim, dim)]  # ok: TL105

    def forward(self, x):
        return self.layers[0](x)


def demonstrate():
    assert Applies().double().grids[0].dtype == torch.float64
    assert AppliesLater().double().grids["a"].dtype == torch.float64
    assert len(list(Gives().parameters())) == 4
    assert nn.Sequential(MovesOnly()).double()[0].layers[0].weight.dtype == torch.float32
