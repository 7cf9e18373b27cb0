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


class Frequencies(nn.Module):
    def __init__(self, count: int = 4, spread: bool = True):
        super().__init__()
        if spread:
            self.bands = 2.0 ** torch.linspace(0, count - 1, count)  # ok: TL101
        else:
            self.bands = torch.linspace(1, 2 ** (count - 1), count)  # ok: TL101
        self.bands = self.bands.numpy().tolist()  # ok: TL101  what is left is a list of numbers

    def forward(self, x):
        return torch.cat([torch.sin(x * band) for band in self.bands], dim=-1)


def demonstrate():
    assert isinstance(Frequencies().bands, list)
    module = Skeleton().double()
    assert module.hot.dtype == torch.float32
    assert module.scratch == 4
    assert Emptied().double()(torch.ones(4).double()).dtype == torch.float64
