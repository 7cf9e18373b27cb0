"""A layer that computes with what it is given alone has no place: all in it lies where its argument does."""
import math

import torch
from torch import nn


def waves(steps: torch.Tensor, width: int):
    rates = torch.exp(-math.log(100.0) * torch.arange(width // 2, device=steps.device) / width)
    angles = steps[:, None].float() * rates[None, :]
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


class Waves(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.width = width

    def forward(self, steps: torch.Tensor):
        return waves(steps, self.width)


class Weighted(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.rates = nn.Parameter(torch.ones(width))

    def forward(self, steps: torch.Tensor):
        return steps[:, None] * self.rates


class Conditioned(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.waves = Waves(width)
        self.weighted = Weighted(width)

    def forward(self, x: torch.Tensor):
        made = self.waves(torch.tensor([0] * x.shape[0])).to(x)  # ok: TL204  moved after, and alone before
        beside = torch.arange(4, device=x.device) * x  # ok: TL204
        return made + beside + self.weighted(torch.tensor([0.0] * x.shape[0]))  # expect: TL204


def demonstrate():
    there = torch.device("cuda" if torch.cuda.is_available() else "meta")
    with there:
        x, model = torch.ones(2, 4), Conditioned(4)
    assert model.waves(torch.zeros(2)).to(x).device == there
    try:
        model(x)
        raise AssertionError("tensors of two devices were combined")
    except RuntimeError as error:
        assert "device" in str(error)
