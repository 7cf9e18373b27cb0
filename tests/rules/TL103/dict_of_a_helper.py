"""A mode change updates a dict with what a method made of the layers in a ModuleDict."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.raw = nn.Parameter(torch.zeros(dim))

    def positive(self):
        return self.raw.exp()


class Scaled(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.scales = nn.ModuleDict({"first": Scale(dim), "last": Scale(dim)})
        self.kept = {}

    def made(self):
        return {name: scale.positive() for name, scale in self.scales.items()}

    def sizes(self):
        return {name: scale.raw.numel() for name, scale in self.scales.items()}

    def forward(self, x):
        scales = self.kept or self.made()
        return x * scales["first"] * scales["last"]


class Updated(Scaled):
    def train(self, mode: bool = True):
        super().train(mode)
        self.kept.clear()
        if not mode:
            with torch.no_grad():
                self.kept.update(self.made())  # expect: TL103
        return self


class Dropped(Scaled):
    def _apply(self, fn, recurse=True):
        self.kept.clear()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.kept.clear()
        super()._load_from_state_dict(*args, **kwargs)

    def train(self, mode: bool = True):
        super().train(mode)
        self.kept.clear()
        if not mode:
            with torch.no_grad():
                self.kept.update(self.made())  # ok: TL103
        return self


class Numbers(Scaled):
    def train(self, mode: bool = True):
        super().train(mode)
        self.counted = {}
        self.counted.update(self.sizes())  # ok: TL103
        return self
