import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers table, scale; parameters weight
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))
        self.register_buffer("scale", torch.zeros(2))
        self.weight = nn.Parameter(torch.zeros(2))
