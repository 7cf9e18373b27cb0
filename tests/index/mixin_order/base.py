import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers own; parameters weight
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1))
        self.build()

    def build(self):
        self.register_buffer("own", torch.zeros(1))
