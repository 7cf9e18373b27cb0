"""A helper, a chain or an f-string name hides the conversion: what is assigned is no Parameter any more."""

import torch
from torch import nn


def placed(tensor, dtype):
    return tensor.to(dtype)


class Lost(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.scale = placed(nn.Parameter(torch.ones(dim)), torch.float64)  # expect: TL114
        for index in range(2):
            setattr(self, f"gate{index}", nn.Parameter(torch.ones(dim)).double())  # expect: TL114
        self.gain = torch.nn.init.xavier_uniform_(nn.Parameter(torch.ones(dim, dim))).unsqueeze(0)  # expect: TL114
        self.kept = torch.nn.init.zeros_(nn.Parameter(torch.ones(dim)))  # ok: TL114
        self.grown = nn.Parameter(placed(torch.ones(dim), torch.float64))  # ok: TL114
        self.free = nn.Parameter(torch.ones(dim)).requires_grad_(False)  # ok: TL114

    def forward(self, x):
        return x * self.scale * self.gate0 * self.gate1 * self.gain.sum() * self.kept * self.grown * self.free


def demonstrate():
    assert {name for name, _ in Lost(2).named_parameters()} == {"kept", "grown", "free"}
    Lost(2)(torch.ones(2))
