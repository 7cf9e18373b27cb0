"""What only construction, printing or saving uses places nothing after a move."""

import torch
from torch import nn


class Built(nn.Module):
    def __init__(self, dim: int, device="cpu", dtype=None):
        super().__init__()
        self.device = device  # ok: TL119  only to build the layers
        self.dtype = dtype  # ok: TL119  only to print it
        self.kind = torch.float32  # ok: TL119  only compared
        self.layer = self.build(dim)

    def build(self, dim: int):
        return nn.Linear(dim, dim, device=self.device)

    def extra_repr(self):
        return f"dtype={self.dtype}"

    def forward(self, x):
        if x.dtype != self.kind:
            raise TypeError("float32 expected")
        return self.layer(x)


class Asking(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.where = "batch"  # ok: TL119  a text that is no device
        self.limit = 3  # ok: TL119

    def device(self):
        return next(self.layer.parameters()).device  # ok: TL119

    def forward(self, x):
        named = {self.where: x.to(self.device())}
        return self.layer(named["batch"] + torch.full((self.limit,), 1.0, device=x.device, dtype=x.dtype))


class Other:
    def __init__(self, device):
        self.device = device  # ok: TL119  no module

    def batch(self, x):
        return x.to(self.device)


def demonstrate():
    Built(3)(torch.ones(2, 3))
    Asking(3)(torch.ones(2, 3))
    Other("cpu").batch(torch.ones(3))
