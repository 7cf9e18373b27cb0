"""A module that keeps its owner's buffer on a plain attribute keeps the old one: a conversion gives the owner a new."""
import torch
from torch import nn


class Rescale(nn.Module):
    def __init__(self, low, high, rate, size):
        super().__init__()
        self.low = low  # expect: TL101
        self.high = high  # expect: TL101
        self.rate = rate  # ok: TL101  a Parameter is one object for both, and registered here too
        self.size = size  # ok: TL101  a number

    def forward(self, x):
        return (x + 1) * (self.high - self.low) * self.rate / self.size + self.low


class Owner(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.register_buffer("low", torch.zeros(dim))
        self.rate = nn.Parameter(torch.ones(dim))
        self.rescale = Rescale(self.low, torch.ones(dim), self.rate, dim)

    def forward(self, x):
        return self.rescale(x)


class Registered(nn.Module):
    def __init__(self, low):
        super().__init__()
        self.register_buffer("low", low)  # ok: TL101

    def forward(self, x):
        return x + self.low


class Annotated(nn.Module):
    def __init__(self, low: torch.Tensor):
        super().__init__()
        self.low = low  # expect: TL101  the owner chose, and moves on

    def forward(self, x):
        return x + self.low


class Various(nn.Module):
    def __init__(self, low):
        super().__init__()
        self.low = low  # ok: TL101  a number as well

    def forward(self, x):
        return x + self.low


class Placed(nn.Module):
    def __init__(self, low):
        super().__init__()
        self.low = low  # ok: TL101  its maker chose the device

    def forward(self, x):
        return x + self.low


class Owners(nn.Module):
    def __init__(self, device, dim: int = 3):
        super().__init__()
        self.register_buffer("low", torch.zeros(dim))
        self.registered = Registered(self.low)
        self.annotated = nn.Sequential(Annotated(self.low))
        self.various = nn.ModuleList([Various(self.low), Various(0.5)])
        self.placed = Placed(torch.zeros(dim, device=device))

    def forward(self, x):
        for layer in self.various:
            x = layer(x)
        return self.registered(self.annotated(self.placed(x)))


def train(x):
    loss = AtHand(torch.ones(3))
    return loss(x)


class AtHand(nn.Module):
    def __init__(self, low):
        super().__init__()
        self.low = low  # ok: TL101  nobody owns and converts it

    def forward(self, x):
        return x + self.low


def demonstrate():
    owner = Owner().half()
    assert owner.low.dtype == torch.float16
    assert owner.rescale.low.dtype == owner.rescale.high.dtype == torch.float32
    assert owner.rescale.rate is owner.rate
    assert owner.rate.dtype == torch.float16
    owners = Owners("cpu").half()
    assert owners.registered.low.dtype == torch.float16
    assert owners.annotated[0].low.dtype == torch.float32
    assert owners(torch.ones(1, 3)).dtype == torch.float32
