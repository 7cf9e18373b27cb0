"""A ParameterList takes the parameters of what lies in a plain list: parameters() has them, and .to() moves them in place."""
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(dim, dim))

    def forward(self, x):
        return x @ self.weight


class Extended(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.cells = []  # ok: TL105
        self.weights = nn.ParameterList()
        for _ in range(2):
            self.cells.append(Cell(dim))
            self.weights.extend(list(self.cells[-1].parameters()))

    def forward(self, x):
        for cell in self.cells:
            x = cell(x)
        return x


class AtOnce(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.cells = [Cell(dim) for _ in range(2)]  # ok: TL105
        self.weights = nn.ParameterList([one for cell in self.cells for one in cell.parameters()])

    def forward(self, x):
        for cell in self.cells:
            x = cell(x)
        return x


class Overridden(nn.Module):
    """The dict of the parameters itself is a list here, and parameters() gives that."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.cells = []  # ok: TL105
        self._parameters = nn.ParameterList()
        for _ in range(2):
            self.cells.append(Cell(dim))
            self._parameters.extend(list(self.cells[-1].parameters()))

    def parameters(self):
        return self._parameters

    def forward(self, x):
        for cell in self.cells:
            x = cell(x)
        return x


class OfOthers(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.cells = [Cell(dim) for _ in range(2)]  # expect: TL105
        self.head = Cell(dim)
        self.weights = nn.ParameterList(self.head.parameters())

    def forward(self, x):
        for cell in self.cells:
            x = cell(x)
        return self.head(x)


class Counted(nn.Module):
    """Its parameters are counted, not kept."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.cells = [Cell(dim) for _ in range(2)]  # expect: TL105
        self.sizes = [one.numel() for cell in self.cells for one in cell.parameters()]

    def forward(self, x):
        for cell in self.cells:
            x = cell(x)
        return x


def demonstrate():
    x = torch.ones(2, 3, dtype=torch.float64)
    for kind in (Extended, AtOnce):
        module = kind().double()
        assert len(list(module.parameters())) == 2
        module(x)
    assert len(Overridden().parameters()) == 2
    for kind in (OfOthers, Counted):
        try:
            kind().double()(x)
            raise AssertionError(kind)
        except RuntimeError as error:
            assert "dtype" in str(error)
