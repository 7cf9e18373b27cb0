"""A method that other constructors ask for a size runs on the CPU, before anybody moves the module."""
import torch
from torch import nn


class Tokens(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, dim)])

    def length(self, size: int = 8) -> int:
        return self.forward(torch.zeros(1, size, 3)).shape[1]  # ok: TL204

    def empty(self, count: int):
        return self.forward(torch.zeros(count, 8, 3))  # expect: TL204

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Reader(nn.Module):
    def __init__(self, dim: int = 4, size: int = 8):
        super().__init__()
        self.tokens = Tokens(dim)
        self.places = nn.Parameter(torch.zeros(1, self.tokens.length(size), dim))
        self.blank = self.tokens.empty(1).detach().mean().item()

    def forward(self, x):
        return self.tokens(x) + self.places, self.tokens.empty(x.shape[0])


def demonstrate():
    reader = Reader().to("meta")
    try:
        reader.tokens.empty(2)
    except (RuntimeError, NotImplementedError) as error:
        assert "device" in str(error) or "meta" in str(error)
    else:
        raise AssertionError("a tensor of the CPU met weights on meta")
