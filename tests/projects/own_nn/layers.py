"""nn here is the project's own: its Module is no Module of torch."""
import torch
from library import nn


class Layer(nn.Module):
    def __init__(self, dim: int = 4):
        self.shift = torch.ones(dim)  # ok: TL101
        self.embed = nn.Embedding()

    def forward(self, x):
        return self.embed(torch.zeros(2)) + self.shift.sum()  # ok: TL201


class TorchLayer(torch.nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.shift = torch.ones(dim)  # expect: TL101

    def forward(self, x):
        return x + self.shift
