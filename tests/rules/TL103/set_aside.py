"""A mode change that swaps a tensor of the user's and keeps the first to put it back caches nothing."""
import torch
from torch import nn


class Swapping(nn.Module):
    def __init__(self, inputs: torch.Tensor):
        super().__init__()
        self.inputs = [inputs]  # ok: TL105  replaced by a mode change
        self.first = None

    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.first = self.inputs[0]  # ok: TL103
            self.inputs = [self.inputs[0] + 1]
        elif self.first is not None:
            self.inputs = [self.first]
        return self

    def forward(self, x):
        return x + self.inputs[0]


class Grid(nn.Module):
    def train(self, mode: bool = True):
        super().train(mode)
        self.grid = None if mode else torch.linspace(0, 1, 4)  # expect: TL103
        return self

    def forward(self, x):
        return x if self.training else x + self.grid


def demonstrate():
    module = Swapping(torch.zeros(4)).eval()
    assert torch.equal(module.train().inputs[0], torch.zeros(4))
    assert Grid().eval().double().grid.dtype is torch.float32  # expect: TL303
