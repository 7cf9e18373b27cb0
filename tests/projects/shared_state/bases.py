"""A base that remembers a dtype and prepares what its children say."""

import torch
from torch import nn


class Prepared(nn.Module):
    margin = torch.ones(3)  # expect: TL113

    def __init__(self, dim: int):
        super().__init__()
        self.dtype = torch.float32  # expect: TL119
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.register_buffer("mean", None)  # note: TL120
        self.prepare()

    def prepare(self):
        pass
