"""A tabular model names submodules and statistics after columns; some columns are called like methods, some names have dots.

source: ludwig-ai/ludwig#1651 (feature names against ModuleDict attributes), pytorch/pytorch#71203
rules: [TL107]
"""
import torch
from torch import nn

SIZES = {"type": 3, "colour": 4}


class TabularBase(nn.Module):
    width = 2

    def lookup(self, size: int) -> nn.Embedding:
        return nn.Embedding(size, self.width)

    def forward(self, row: dict[str, torch.Tensor]) -> torch.Tensor:
        return sum(self.columns[self.slot(name)](value) for name, value in row.items())

    def slot(self, name: str) -> str:
        return name


class DirectColumns(TabularBase):
    def __init__(self):
        super().__init__()
        self.columns = nn.ModuleDict({"type": self.lookup(3), "colour": self.lookup(4)})  # expect: TL107


class SuffixedColumns(TabularBase):
    def __init__(self, sizes=None):
        super().__init__()
        sizes = SIZES if sizes is None else sizes
        self.columns = nn.ModuleDict({self.slot(n): self.lookup(s) for n, s in sizes.items()})  # ok: TL107

    def slot(self, name):
        return f"{name}_column"


class AssignedColumns(TabularBase):
    def __init__(self):
        super().__init__()
        self.columns = nn.ModuleDict()
        self.columns["colour"] = self.lookup(4)  # ok: TL107
        self.columns["values"] = self.lookup(3)  # expect: TL107


class ColumnMoments(nn.Module):
    """Statistics per numeric column; dotted text is only used for the report."""

    def __init__(self, names=("price", "age")):
        super().__init__()
        self.names = tuple(names)
        for n in self.names:
            self.register_buffer(f"{n}_mean", torch.zeros(()))  # ok: TL107
        self.labels = {n: f"{n}.mean" for n in self.names}  # ok: TL107


class DottedMoments(nn.Module):
    def __init__(self, names=("price", "age")):
        super().__init__()
        for n in names:
            self.register_buffer(".".join((n, "mean")), torch.zeros(()))  # expect: TL107


class UnnamedRest(nn.Module):
    def __init__(self, suffix: str = ""):
        super().__init__()
        self.add_module("body" + suffix, nn.Linear(1, 1))  # ok: TL107
        self.register_parameter("", nn.Parameter(torch.zeros(1)))  # expect: TL107


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls in (DirectColumns, AssignedColumns, DottedMoments, UnnamedRest):
        try:
            cls()
            raise AssertionError(cls)
        except KeyError as exc:
            assert "already exists" in str(exc) or '"."' in str(exc) or "empty" in str(exc), exc
    row = {"type": torch.tensor([1]), "colour": torch.tensor([2])}
    assert SuffixedColumns()(row).shape == (1, 2)
    assert "price_mean" in ColumnMoments().state_dict()
