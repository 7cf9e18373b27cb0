"""Memory that a helper hands out, and a tuple of sizes that becomes two numbers of a Parameter."""

import torch
from torch import nn


class Board:
    def __init__(self, members):
        self.members = list(members)

    def blank(self, rows, columns):
        return torch.FloatTensor(rows, columns)  # expect: TL202

    def cleared(self, rows, columns):
        return torch.FloatTensor(rows, columns)  # note: TL202  its caller fills it first

    def zeros(self, rows, columns):
        return torch.zeros(rows, columns)  # ok: TL202

    def counted(self, rows):
        return torch.empty(rows).fill_(0.0)  # ok: TL202

    def votes(self, x, classes):
        board = self.blank(x.shape[0], classes)
        for member in self.members:
            board += member(x).softmax(-1)
        return board / len(self.members)

    def counts(self, x, classes):
        board = self.cleared(x.shape[0], classes)
        board.zero_()
        for member in self.members:
            board += member(x) > 0
        return board


class Cells(nn.Module):
    def __init__(self, rows: int, columns: int):
        super().__init__()
        size = (rows, columns)
        self.cells = nn.Parameter(torch.Tensor(size))  # expect: TL202
        self.mean = nn.Parameter(torch.Tensor((rows, columns)), requires_grad=False)  # note: TL202  data
        self.widths = nn.Parameter(torch.empty(size))  # ok: TL202
        self.limits = torch.tensor(size)  # ok: TL202
        nn.init.zeros_(self.cells)
        nn.init.zeros_(self.widths)

    def forward(self, x):
        return x + self.cells + self.widths.sum() - self.mean.prod() + len(self.limits)


def demo():
    cells = Cells(3, 5)
    assert cells.cells.shape == (2,)
    assert cells.mean.tolist() == [3.0, 5.0]
