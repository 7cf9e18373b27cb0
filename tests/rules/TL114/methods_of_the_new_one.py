"""view(), repeat(), clone() and a unary minus of a new Parameter give a tensor; in-place methods give it back."""

import torch
from torch import nn


class Methods(nn.Module):
    def __init__(self, dim: int, device="cpu"):
        super().__init__()
        self.a = nn.Parameter(torch.ones(dim)).view(1, -1)  # expect: TL114
        self.b = -nn.Parameter(torch.ones(dim))  # expect: TL114
        self.c = nn.Parameter(torch.ones(dim)).to(device)  # expect: TL114
        scale = nn.Parameter(torch.ones(dim))
        self.d = scale.expand(2, dim)  # expect: TL114
        self.e = nn.Parameter(torch.ones(dim)).fill_(2) if False else nn.Parameter(torch.ones(dim))  # ok: TL114
        self.f = nn.Parameter(torch.ones(dim).view(1, -1))  # ok: TL114

    def forward(self, x):
        return x * self.a * self.b * self.c * self.d * self.e * self.f


def demonstrate():
    names = {name for name, _ in Methods(2).named_parameters()}
    assert names == {"c", "e", "f"}, names
