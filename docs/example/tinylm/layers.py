"""The layers; that they are modules is known from base.py alone."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from .base import Layer


class Rotary(Layer):
    """Turns pairs of features by angles that grow with the position."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.inv_freq = 10_000.0 ** -(torch.arange(0, width, 2) / width)

    def forward(self, x: Tensor) -> Tensor:
        angles = torch.arange(x.shape[-2], device=x.device)[:, None] * self.inv_freq
        even, odd = x[..., ::2], x[..., 1::2]
        cos, sin = angles.cos(), angles.sin()
        return torch.cat((even * cos - odd * sin, even * sin + odd * cos), dim=-1)


class ScaledLinear(Layer):
    """A linear map whose rows have the lengths `gain`; evaluation computes the weight once."""

    def __init__(self, width: int) -> None:
        super().__init__(width)
        self.direction = nn.Parameter(torch.randn(width, width))
        self.gain = nn.Parameter(torch.ones(width, 1))
        self.weight = None

    def train(self, mode: bool = True) -> "ScaledLinear":
        self.weight = None if mode else self.scaled().detach()
        return super().train(mode)

    def scaled(self) -> Tensor:
        return self.gain * functional.normalize(self.direction, dim=1)

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.scaled() if self.weight is None else self.weight)
