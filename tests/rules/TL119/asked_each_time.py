"""A property asks the parameters where they are now, and what it is called says nothing of a memory."""

import torch
from torch import nn


class Asked(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.target = self.layer.weight  # ok: TL119  the parameter itself, whose device is asked below

    @property
    def device(self):
        return self.layer.weight.device  # ok: TL119

    def forward(self, x):
        return self.layer(x.to(self.device)) + torch.ones(1, device=self.target.device)


def demonstrate():
    module = Asked().to("meta")
    assert module.device == torch.device("meta")
    assert module(torch.ones(2, 3)).device == torch.device("meta")
