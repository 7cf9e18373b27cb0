"""nn under another name, a factory imported by itself, and a Module three steps up."""
import math

import torch as th
from torch import linspace
from torch import nn as N


class Transform(N.Module):
    def extra_repr(self) -> str:
        return "transform"


class Spectral(Transform):
    def __init__(self, size: int = 16):
        super().__init__()
        self.bins = size // 2 + 1


class Stretch(Spectral):
    def __init__(self, size: int = 16):
        super().__init__(size)
        self.advance = linspace(0, math.pi, self.bins)[..., None]  # expect: TL101
        self.window = th.hann_window(size)  # expect: TL101
        self.register_buffer("kept", th.ones(self.bins)[..., None])  # ok: TL101
        self.rate = math.pi / self.bins  # ok: TL101

    def forward(self, x):
        return x * self.rate + self.advance + self.kept + self.window[0]


def demonstrate():
    module = Stretch().to("meta")
    assert module.kept.is_meta
    assert not module.advance.is_meta
