"""A layer for inference, whose weights another file puts in."""
import torch
from torch import nn


class FusedLayer(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.inter_w = nn.Parameter(torch.Tensor(dim, dim))  # note: TL202
        self.norm_w = nn.Parameter(torch.Tensor(dim))  # note: TL202
        self.gate_w = nn.Parameter(torch.Tensor(dim))  # expect: TL202

    def forward(self, x):
        return x @ self.inter_w * self.norm_w * self.gate_w
