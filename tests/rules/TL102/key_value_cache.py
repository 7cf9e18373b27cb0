"""A cache of keys and values is joined to its last value by cat; joining is its purpose."""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.keys = None
        self.energy = 0.0

    def forward(self, x):
        k = self.key(x)
        if self.keys is not None:
            k = torch.cat([self.keys, k], dim=1)
        self.keys = k  # ok: TL102
        score = x @ k.mT + self.energy
        self.energy = score.mean()  # expect: TL102
        return score

    def clear(self) -> None:
        self.keys = None


class Sliding(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.keys = torch.zeros(1, 0, dim)

    def forward(self, x):
        self.keys = torch.cat([self.keys, self.key(x)], dim=1)[:, -8:]  # ok: TL102
        return x @ self.keys.mT

    def clear(self) -> None:
        self.keys = self.keys[:, :0]


def demonstrate():
    with torch.no_grad():
        for module in (Attention(), Sliding()):
            module(torch.ones(1, 2, 4))
            assert module(torch.ones(1, 2, 4)).shape[-1] == 4
            module.clear()
