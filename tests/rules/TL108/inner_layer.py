"""A layer that another class of the file builds: its parent does not look at what train() returns."""
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.bias = {}

    def train(self, mode: bool = True):  # note: TL108
        super().train(mode)
        self.bias = {}

    def forward(self, x):
        return self.mix(x)


class Careful(Attention):
    def train(self, mode: bool = True):  # ok: TL108
        nn.Module.train(self, mode)
        self.bias = {}
        return self


class Block(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.attention = Attention(dim)
        self.careful = Careful(dim)

    def forward(self, x):
        return self.careful(self.attention(x))


def demonstrate():
    block = Block()
    assert block.eval() is block
    assert block.attention.eval() is None
