"""A module that imports its device and its helpers."""
import tables
import torch
from settings import device
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x):
        noise = torch.randn(x.shape).to(device)  # expect: TL207
        x = self.mix(x) + noise
        x = x * tables.ramp(x.size(-1))
        x = x * tables.ramp(x.size(-1), device=x.device)
        return tables.masked(x + tables.steps(x.size(-1)).to(x), 0.5)
