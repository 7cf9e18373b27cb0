"""A table for each level of a pyramid, kept by its size: the number that enumerate() gives is no part of an input."""
import torch
from torch import nn


class Levels(nn.Module):
    def __init__(self, count: int = 2):
        super().__init__()
        self.grids = [torch.zeros(1, 1)] * count  # ok: TL105  placeholders, replaced in the first call
        self.names = ["low", "high"]
        self.by_name = {}
        self.conv = nn.Conv1d(1, 1, 1)

    def forward(self, levels):
        found = []
        for index, (name, level) in enumerate(zip(self.names, levels)):
            found.append(self.conv(level) + self.grid_of(index, name, level))
        return found


class BySize(Levels):
    def grid_of(self, index, name, level):
        if self.grids[index].shape[-1] != level.shape[-1]:
            self.grids[index] = torch.arange(level.shape[-1])[None].float()  # expect: TL104
        return self.grids[index]


class ByName(Levels):
    def grid_of(self, index, name, level):
        if name not in self.by_name or self.by_name[name].shape[-1] != level.shape[-1]:
            self.by_name[name] = torch.arange(level.shape[-1])[None].float()  # expect: TL104
        return self.by_name[name]


class BySizeAndPlace(Levels):
    def grid_of(self, index, name, level):
        kept = self.grids[index]
        if kept.shape[-1] != level.shape[-1] or kept.device != level.device or kept.dtype != level.dtype:
            kept = torch.arange(level.shape[-1], device=level.device, dtype=level.dtype)[None]
            self.grids[index] = kept  # ok: TL104
        return kept


class MovedWhereItIsRead(Levels):
    def grid_of(self, index, name, level):
        if self.grids[index].shape[-1] != level.shape[-1]:
            self.grids[index] = torch.arange(level.shape[-1])[None].float()  # ok: TL104
        return self.grids[index].to(level)


class OfTheElements(Levels):
    def grid_of(self, index, name, level):
        if self.grids[index].sum() != level.sum():
            self.grids[index] = level.cumsum(-1)[0]  # ok: TL104  the test asks the elements
        return self.grids[index]


def demonstrate():
    levels = [torch.ones(1, 1, 4), torch.ones(1, 1, 8)]
    for kind, follows in ((BySize, False), (ByName, False), (BySizeAndPlace, True), (MovedWhereItIsRead, True)):
        module = kind()
        module(levels)
        try:
            moved = [one.is_meta for one in module.to("meta")([level.to("meta") for level in levels])]
        except RuntimeError:
            moved = [False]
        assert all(moved) is follows, kind
