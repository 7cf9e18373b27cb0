"""A CUDA type is a place, whatever the dtype; a filler of nn.init returns what it fills, moved or not."""

import torch
from torch import nn
from torch.nn import init
from torch.nn.parameter import Parameter


class Filled(nn.Module):
    def __init__(self, dim: int, device: torch.device):
        super().__init__()
        self.a = init.xavier_uniform_(Parameter(torch.empty(dim, dim)).to(device))  # expect: TL114
        self.b = init.zeros_(Parameter(torch.empty(dim).to(device)))  # ok: TL114  moved before
        self.c = init.ones_(init.zeros_(Parameter(torch.empty(dim))))  # ok: TL114
        self.d = Parameter(torch.ones(dim)).type(torch.FloatTensor)  # ok: TL114  what it is already

    def forward(self, x):
        return x @ self.a + self.b * self.c * self.d


class OfCudaType(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.scale = Parameter(torch.ones(dim)).type(torch.cuda.FloatTensor)  # expect: TL114
        self.shift = Parameter(torch.zeros(dim)).type("torch.cuda.FloatTensor")  # expect: TL114

    def forward(self, x):
        return x * self.scale + self.shift


def demonstrate():
    names = {name for name, _ in Filled(2, torch.device("meta")).named_parameters()}
    assert names == {"b", "c", "d"}, names
