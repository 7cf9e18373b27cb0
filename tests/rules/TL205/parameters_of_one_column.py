"""A Parameter has the dimensions that it is made with: one of a single element has no place in memory, turned too."""
import torch
from torch import nn


class Shift(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.bias = nn.Parameter(bias.unsqueeze(1))

    def row(self):
        return self.bias.t().view(-1)  # ok: TL205  one column

    def forward(self, x):
        return x + self.bias.t().view(1, -1, 1, 1)  # ok: TL205


class ShiftOfMany(nn.Module):
    def __init__(self, bias, count):
        super().__init__()
        self.bias = nn.Parameter(bias.unsqueeze(1).repeat(1, count))

    def row(self):
        return self.bias.t().view(-1)  # expect: TL205


class Given(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.bias = nn.Parameter(bias)

    def row(self):
        return self.bias.t().view(-1)  # expect: TL205


def demonstrate():
    assert Shift(torch.rand(3)).row().shape == (3,) and Shift(torch.rand(3))(torch.rand(1, 3, 2, 2)).ndim == 4
    for refused in (ShiftOfMany(torch.rand(3), 2), Given(torch.rand(3, 2))):
        try:
            refused.row()
            raise AssertionError("the view was legal")
        except RuntimeError as error:
            assert "view" in str(error)
