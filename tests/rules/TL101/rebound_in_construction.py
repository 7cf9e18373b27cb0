"""The constructor assigns the attribute and reworks it: one finding, where the tensor comes from."""
import torch
import torch.nn.functional as F
from torch import nn


class Skeleton(nn.Module):
    def __init__(self, segments: int = 4):
        super().__init__()
        self.hot = F.one_hot(torch.arange(segments), segments).float()  # expect: TL101
        self.hot = self.hot.t()  # ok: TL101  it reworks what the line above made
        self.scratch = torch.ones(segments)  # ok: TL101
        self.scratch = segments  # ok: TL101  what is left is a number

    def forward(self, x):
        return x @ self.hot * self.scratch


class Emptied(nn.Module):
    def __init__(self, segments: int = 4):
        super().__init__()
        self.seed = torch.ones(segments)  # ok: TL101
        self.weight = nn.Parameter(self.seed * 2)
        self.seed = None  # ok: TL101

    def forward(self, x):
        return x * self.weight if self.seed is None else x + self.seed


def demonstrate():
    module = Skeleton().double()
    assert module.hot.dtype == torch.float32
    assert module.scratch == 4
    assert Emptied().double()(torch.ones(4).double()).dtype == torch.float64
