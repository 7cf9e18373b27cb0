"""A base class adds what a method of the subclass draws, or an object that it holds: there the device is missing."""
import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(dim))

    def noise(self, x):
        raise NotImplementedError

    def forward(self, x):
        return x * (self.weight + self.noise(x))


class Drawn(Noisy):
    def noise(self, x):
        return torch.randn(self.weight.shape)  # expect: TL204


class Normal(Noisy):
    def noise(self, x):
        return torch.normal(0.0, 1.0, size=self.weight.shape)  # expect: TL204


class Around(Noisy):
    def noise(self, x):
        return torch.normal(self.weight.detach(), 1.0)  # ok: TL204  drawn where the weight lies


class Alike(Noisy):
    def noise(self, x):
        return torch.randn_like(self.weight)  # ok: TL204


class Prior:
    def start(self, count):
        return torch.ones(count, 3)  # expect: TL204

    def rows(self, count):
        return torch.arange(count)  # ok: TL204  an index may lie on the CPU


class Sampler(nn.Module):
    """A module, whatever it is called."""

    def __init__(self, prior):
        super().__init__()
        self.prior = prior
        self.mean = nn.Linear(3, 3)

    def forward(self, x):
        return self.mean(x) + self.prior.start(x.size(0))


class Picker(nn.Module):
    def __init__(self, prior):
        super().__init__()
        self.prior = prior
        self.mean = nn.Linear(3, 3)

    def forward(self, x):
        return self.mean(x)[self.prior.rows(x.size(0))]


def demonstrate():
    x = torch.rand(2, 3)
    for module in (Drawn(), Normal(), Around(), Alike(), Sampler(Prior()), Picker(Prior())):
        assert module(x).shape == (2, 3)
    for module in (Drawn(), Normal(), Sampler(Prior())):
        try:
            module.to("meta")(x.to("meta"))
        except RuntimeError:
            continue
        raise AssertionError("two devices met")
    assert Alike().to("meta")(x.to("meta")).is_meta
