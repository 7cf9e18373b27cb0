"""The constructor's grid stays in use until the size changes: a move in between leaves it behind."""
import torch
from torch import nn


class GridHead(nn.Module):
    def __init__(self, size: int = 4):
        super().__init__()
        self.size = 0
        self.grid = torch.zeros(size)  # expect: TL101
        self.always = torch.zeros(size)  # ok: TL101  made anew in each call

    def forward(self, x):
        if self.size != len(x):
            self.size = len(x)
            self.grid = torch.arange(len(x), device=x.device, dtype=x.dtype)  # expect: TL104
        self.always = torch.arange(len(x), device=x.device, dtype=x.dtype)
        return x + self.grid + self.always


def demonstrate():
    module = GridHead()
    module(torch.zeros(4))
    module.to("meta")
    try:
        module(torch.zeros(4, device="meta"))
        raise AssertionError("the grid stays on the CPU")
    except RuntimeError:
        pass
