"""Residual paths are dropped per sample: the coins are thrown on the default device, with a shape list built beforehand.

source: stochastic-depth and locked-dropout layers written by hand; huggingface/transformers#44782 kind
rules: [TL204]
"""
import torch
from torch import nn


def coin_shape(x, along=0):
    shape = [1] * x.dim()
    shape[along] = x.size(along)
    return shape


class Residual(nn.Module):
    def __init__(self, inner, rate):
        super().__init__()
        self.inner, self.rate = inner, rate

    def coins(self, x):
        return torch.rand(coin_shape(x))  # expect: TL204

    def forward(self, x):
        y = self.inner(x)
        if self.training and self.rate > 0:
            keep = 1 - self.rate
            y = y.div(keep) * (self.coins(y) + keep).floor_()
        return x + y


class Locked(nn.Module):
    """One mask for all time steps."""

    rate = 0.5

    def forward(self, x):
        if not self.training:
            return x
        odds = torch.full((1, x.size(1), x.size(2)), 1 - self.rate)  # expect: TL204
        mask = torch.bernoulli(odds) / (1 - self.rate)
        return x * mask.expand_as(x)


class ResidualFixed(Residual):
    def coins(self, x):
        return torch.rand(coin_shape(x), dtype=x.dtype, device=x.device)  # ok: TL204


class ResidualWhole(Residual):
    """One coin for the whole batch: a scalar that lives on the CPU may meet anything."""

    def coins(self, x):
        return torch.rand(())  # ok: TL204


class LockedFixed(Locked):
    def forward(self, x):
        if not self.training:
            return x
        mask = x.new_empty(1, x.size(1), x.size(2)).bernoulli_(1 - self.rate) / (1 - self.rate)  # ok: TL204
        return x * mask.expand_as(x)


def stack(res, lock, width=4):
    return nn.Sequential(lock(), res(nn.Linear(width, width), 0.2), res(nn.Linear(width, width), 0.3))


def demonstrate():
    x = torch.randn(3, 2, 4)
    assert stack(Residual, Locked)(x).shape == x.shape
    far = x.to("meta")
    assert stack(Residual, Locked).to("meta").eval()(far).shape == x.shape  # only training hits it
    for net in (stack(Residual, LockedFixed), stack(ResidualFixed, Locked)):
        try:
            net.to("meta")(far)
            raise AssertionError("coins on the CPU were used")
        except RuntimeError as err:
            assert "device" in str(err), err
    for res in (ResidualFixed, ResidualWhole):
        assert stack(res, LockedFixed).to("meta")(far).shape == x.shape
