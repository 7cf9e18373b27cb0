"""The device and dtype of construction go to a method of the object, as keywords that it collects or names."""

import torch
from torch import nn


class Embedding(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mlp = nn.Linear(dim, dim)

    def collected(self, t, **options):
        return torch.as_tensor(t, **options)[:, None] * torch.arange(4, **options)

    def named(self, t, place, kind=None):
        return torch.as_tensor(t, device=place, dtype=kind)[:, None] * torch.arange(4, device=place, dtype=kind)

    def noted(self, t, **options):
        return f"{t} with {options}"


class AtBirth(Embedding):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        first = next(self.parameters())
        self.device = first.device  # note: TL119
        self.dtype = first.dtype  # note: TL119

    def forward(self, t):
        return self.mlp(self.collected(t, device=self.device, dtype=self.dtype))


class AtBirthByPosition(Embedding):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.device = self.mlp.weight.device  # note: TL119
        self.dtype = self.mlp.weight.dtype  # note: TL119

    def forward(self, t):
        return self.mlp(self.named(t, self.device, kind=self.dtype))


class Asked(Embedding):
    @property
    def device(self):  # ok: TL119
        return self.mlp.weight.device

    def forward(self, t):
        return self.mlp(self.collected(t, device=self.device))


class Noted(Embedding):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.device = self.mlp.weight.device  # ok: TL119
        self.dtype = self.mlp.weight.dtype  # ok: TL119

    def forward(self, t):
        self.noted(t, device=self.device, dtype=self.dtype)
        return self.mlp(t)
