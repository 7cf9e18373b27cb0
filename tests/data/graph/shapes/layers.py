"""The class that the tests look at, and two whose names say less than their paths."""

import torch
from elsewhere import Mixin
from torch import nn

from .base import Cached


class Scale(Cached):
    eps = 1e-6

    class Settings:
        pass

    def __init__(self, width: int):
        super().__init__(width)
        self.weight = nn.Parameter(torch.ones(width))
        for name in ("low", "high"):
            self.register_buffer(name, torch.zeros(width))
        self.offset = torch.zeros(width)
        self.anchors = torch.zeros(width)
        self.parts = [torch.zeros(width), torch.ones(width)]
        self.project = nn.Linear(width, width)
        self.is_ready = False
        self.spare = torch.zeros(1)
        del self.spare
        self.register_load_state_dict_post_hook(self._loaded)

    def _loaded(self, module, keys):
        self.is_ready = False

    def _apply(self, fn, recurse=True):
        self.offset = fn(self.offset)
        return super()._apply(fn, recurse)

    def forward(self, x):
        if not self.is_ready:
            self.cache = self.weight * self.steps
            self.is_ready = True
        return self.project(x * self.cache + self.offset + self.anchors[0] + self.parts[0]) + self.bias


class Odd(Mixin):
    def __init__(self, names):
        super().__init__()
        for name in names:
            setattr(self, name, nn.Linear(2, 2))
        self.norm = nn.LayerNorm(2)

    def forward(self, x):
        return self.norm(x)


class Outer:
    class Head(nn.Module):
        pass
