"""The owner of the layer moves the layer's plain tensor in its own _apply()."""
import torch
from torch import nn


class Kernel(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.nodes = torch.linspace(0, 1, dim)  # ok: TL101  the _apply of the owner moves it
        self.register_buffer("kept", torch.ones(dim))  # ok: TL101

    def forward(self, x):
        return x * self.nodes + self.kept


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = Kernel()
        self.offset = torch.zeros(4)  # expect: TL101

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.kernel.nodes = fn(self.kernel.nodes)
        return self

    def forward(self, x):
        return self.kernel(x) + self.offset


def demonstrate():
    model = Model().to("meta")
    assert model.kernel.nodes.is_meta
    assert not model.offset.is_meta
