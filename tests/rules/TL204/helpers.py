"""The tensor is made in a helper, or a helper combines what forward made."""
import math

import torch
from torch import nn


def sinusoid(length: int, dim: int):
    places = torch.arange(length, dtype=torch.float32)  # expect: TL204
    steps = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))  # expect: TL204
    angles = places[:, None] * steps[None, :]
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


def moved_by_the_caller(length: int):
    return torch.arange(length).float()  # ok: TL204  the only caller moves it


def of_the_caller(length: int, device):
    return torch.arange(length, device=device).float()  # ok: TL204


def blend(x, mask):
    return x * mask


def jitter(x: torch.Tensor) -> torch.Tensor:
    return x + torch.randn(x.shape)  # expect: TL204


class Encoder(nn.Module):
    def forward(self, x: torch.Tensor):
        x = x + sinusoid(x.size(1), x.size(2))
        mask = torch.ones(x.size(2))  # expect: TL204
        x = blend(x, mask)
        x = jitter(x)
        kept = torch.ones(x.size(2)).to(x.device)  # ok: TL204
        x = blend(x, kept)
        x = x + moved_by_the_caller(x.size(2)).to(x)
        return x + of_the_caller(x.size(2), x.device) + self.bias(x.size(2)) + self.shift(x.size(2)).type_as(x)

    def bias(self, size: int):
        return torch.zeros(size)  # expect: TL204

    @staticmethod
    def shift(size: int):
        return torch.zeros(size)  # ok: TL204  moved by the caller


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def forward(self, x, bias):
        return self.mix(x) + bias


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x):
        return self.inner(x, torch.zeros(4)) + self.inner(x, x.new_zeros(4))  # expect: TL204


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.head = nn.Linear(self.features(), 2)

    def features(self) -> int:
        return self.conv(torch.zeros(1, 3, 8, 8)).flatten(1).shape[1]  # ok: TL204  runs while building

    def size_of(self, height: int):
        return self.conv(torch.zeros(1, 3, height, 8)).shape  # ok: TL204  only the shape is asked

    def forward(self, x):
        return self.head(self.conv(x).flatten(1))


def demonstrate():
    assert Probe()(torch.ones(1, 3, 8, 8)).shape == (1, 2)
    there = torch.device("cuda" if torch.cuda.is_available() else "meta")
    with there:
        x, outer = torch.ones(2, 3, 4), Outer()
    for step in (lambda: x + sinusoid(3, 4), lambda: jitter(x), lambda: outer(x), lambda: blend(x, torch.ones(4))):
        try:
            step()
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "device" in str(error)
