"""A tensor of the caller's is left behind too, but the caller chose its place: a note. What is computed from it is not."""
from __future__ import annotations

import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, weight: torch.Tensor, shift: torch.Tensor | None = None, rate=0.5):
        super().__init__()
        self.weight = weight  # note: TL101
        self.scaled = weight * 2  # expect: TL101
        self.shift = shift  # note: TL101
        self.rate = rate  # ok: TL101  it may be a number
        self.register_buffer("kept", weight)  # ok: TL101
        self.learned = nn.Parameter(weight)  # ok: TL101

    def forward(self, x):
        y = x * self.weight * self.kept * self.learned * self.rate + self.scaled
        return y if self.shift is None else y + self.shift


class Volume(nn.Module):
    """What nobody annotates is a tensor where it is moved and computed with, or viewed in several sizes."""

    def __init__(self, box, density, labels, device):
        super().__init__()
        self.box = box.to(device)  # expect: TL101
        self.scale = 2.0 / (self.box[1] - self.box[0])  # expect: TL101
        self.density = density.view(1, 1, *density.shape[-2:])  # note: TL101
        self.labels = labels.view("uint8")  # ok: TL101  an array

    def forward(self, points):
        where = (points - self.box[0]) * self.scale - 1
        return torch.nn.functional.grid_sample(self.density, where[None, None], align_corners=True)


class Wrapped(nn.Module):
    def __init__(self, network, device):
        super().__init__()
        self.network = network.to(device)  # ok: TL101  a module has .to() as well
        self.first = self.network[0]  # ok: TL101

    def forward(self, points):
        return self.network(points) + self.first(points)


def demonstrate():
    volume = Volume(torch.tensor([[0.0, 0.0], [1.0, 1.0]]), torch.rand(4, 4), torch.zeros(3).numpy(), "cpu").to("meta")
    assert not any(value.is_meta for value in (volume.box, volume.scale, volume.density))
    Wrapped(nn.Sequential(nn.Linear(2, 2)), "cpu")(torch.rand(5, 2))
    module = Weighted(torch.ones(3), torch.ones(3)).to("meta")
    assert module.kept.is_meta
    assert module.learned.is_meta
    assert not any(value.is_meta for value in (module.weight, module.scaled, module.shift))
