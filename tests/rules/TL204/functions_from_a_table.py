"""Construction takes a function out of a table, or keeps one as it is; forward calls it with sizes alone."""
from functools import partial

import torch
from torch import nn


def even(size):
    return torch.rand(size)  # expect: TL204


def bell(size, width=1.0):
    return torch.randn(size) * width  # expect: TL204


def past(count):
    return torch.ones(count, count).tril()  # expect: TL204


def even_like(x):
    return torch.rand_like(x)  # ok: TL204


def past_like(x):
    return torch.ones(x.size(1), x.size(1), device=x.device).tril()  # ok: TL204


KINDS = {"even": even, "bell": partial(bell, width=0.5)}


class Noisy(nn.Module):
    def __init__(self, kind="even"):
        super().__init__()
        self.noise, self.mask = KINDS.get(kind), past

    def forward(self, x):
        return (x + self.noise(x.size())) @ self.mask(x.size(1))


class NoisyLike(nn.Module):
    def __init__(self):
        super().__init__()
        self.noise, self.mask = even_like, past_like

    def forward(self, x):
        return (x + self.noise(x)) @ self.mask(x)


class NoisyAside(nn.Module):
    """What is only printed meets nothing."""

    def __init__(self):
        super().__init__()
        self.noise = {"aside": lambda size: torch.rand(size)}["aside"]  # ok: TL204

    def forward(self, x):
        print(self.noise(x.size()).sum())
        return x


def demonstrate():
    x = torch.rand(2, 3, device="meta")
    for kind in KINDS:
        try:
            Noisy(kind)(x)
            raise AssertionError("a tensor of the CPU was added")
        except RuntimeError as error:
            assert "device" in str(error)
    assert NoisyLike()(x).shape == (2, 3)
