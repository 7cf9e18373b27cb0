"""What a ModuleList or ModuleDict that is written out holds: layers of the project, whose results are known."""

import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.gates = nn.Linear(dim, dim)

    def forward(self, x):
        return torch.tanh(self.gates(x))


class Counts(nn.Module):
    def forward(self, x):
        return torch.argmax(x, -1)


class Stack(nn.Module):
    def __init__(self, dim: int = 2, depth: int = 2):
        super().__init__()
        self.cells = nn.ModuleList(Cell(dim) for _ in range(depth))
        self.listed = nn.ModuleList([Cell(dim) for _ in range(depth)])
        self.two = nn.ModuleList([Cell(dim), Cell(dim)])
        self.unlike = nn.ModuleList([Cell(dim), Counts()])
        self.grown = nn.ModuleList()
        self.grown.append(Counts())
        self.named = nn.ModuleDict({"first": Cell(dim), "last": Cell(dim)})

        self.pairs = nn.ModuleList([nn.Sequential(nn.Linear(dim, dim), nn.Tanh()) for _ in range(depth)])

    def forward(self, x):
        for pair in self.pairs:
            linear, bend = pair
            matrix = linear.weight  # fact: parameter floating from self.pairs
            x = bend(x @ matrix)
        for cell in self.cells:
            made = cell(x)  # fact: tensor
        for _index, cell in enumerate(self.listed):
            numbered = cell(x)  # fact: tensor
        for cell, other in zip(self.two, self.listed, strict=True):
            paired = cell(other(x))  # fact: tensor
        for cell in self.listed[:1]:
            sliced = cell(x)  # fact: tensor
        for cell in self.unlike:
            either = cell(x)  # fact: unknown dtype ?
        for cell in self.grown:
            added = cell(x)  # fact: unknown dtype ?
        for cell in self.unlike[1:]:
            one_of_two = cell(x)  # fact: unknown dtype ?
        for cell in (self.named if x.ndim else self.two).children():
            of_either = cell(x)  # fact: unknown dtype ?
        by_position = self.unlike[0](x)  # fact: unknown dtype ?
        for cell in self.named.values():
            under_a_name = cell(x)  # fact: tensor
        for _name, cell in self.named.items():
            with_its_name = cell(x)  # fact: tensor
        first = self.listed[0](x)  # fact: tensor
        by_key = self.named["first"](x)  # fact: tensor
        last = self.two[-1](x)  # fact: tensor
        return (
            made,
            numbered,
            paired,
            sliced,
            either,
            added,
            one_of_two,
            of_either,
            by_position,
            under_a_name,
            with_its_name,
            first,
            by_key,
            last,
        )


def demo():
    Stack()(torch.randn(3, 2))
