"""The device and dtype stand in a dict that .to(**options) unpacks."""
import torch
from torch import nn


class Lost(nn.Module):
    def __init__(self, dtype: torch.dtype = torch.float64, dim: int = 3, **factory):
        super().__init__()
        options = dict(dtype=dtype)
        self.scale = nn.Parameter(torch.ones(dim)).to(**options)  # expect: TL114
        self.shift = nn.Parameter(torch.zeros(dim)).to(**{"device": "meta"})  # expect: TL114
        self.gate = nn.Parameter(torch.ones(dim)).to(**factory)  # expect: TL114

    def forward(self, x):
        return x * self.scale * self.gate + self.shift


class Kept(nn.Module):
    def __init__(self, dtype: torch.dtype = torch.float64, dim: int = 3):
        super().__init__()
        options = dict(dtype=dtype)
        self.scale = nn.Parameter(torch.ones(dim).to(**options))  # ok: TL114
        self.shift = nn.Parameter(torch.zeros(dim, **options))  # ok: TL114
        self.gate = nn.Parameter(torch.ones(dim)).to(dtype=torch.float32)  # ok: TL114  float32 already

    def forward(self, x):
        return x * self.scale * self.gate + self.shift


def demonstrate():
    assert not list(Lost(dtype=torch.float64, device="meta").parameters())
    assert len(list(Kept().parameters())) == 3
