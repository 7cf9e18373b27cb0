"""A discrete bottleneck looks its noise up by name; the samplers get a size, so they cannot know where the logits live.

source: gumbel-softmax layers written before F.gumbel_softmax; jemisjoky/TorchMPS#8 kind (helper tensors always on the CPU)
rules: [TL204]
"""
from functools import partial

import torch
from torch import nn


def gumbel(size, tiny=1e-9):
    return -(-(torch.rand(size) + tiny).log() + tiny).log()  # expect: TL204


def logistic(size, tiny=1e-9):
    u = torch.empty(*size).uniform_(tiny, 1 - tiny)  # expect: TL204
    return u.log() - (1 - u).log()


def gumbel_of(logits):
    return -torch.empty_like(logits).exponential_().log()  # ok: TL204


NOISES = {"gumbel": gumbel, "logistic": partial(logistic, tiny=1e-6)}


class Bottleneck(nn.Module):
    def __init__(self, dim=4, codes=5, noise="gumbel", heat=1.0):
        super().__init__()
        self.to_logits, self.codes = nn.Linear(dim, codes), nn.Embedding(codes, dim)
        self.noise, self.heat = NOISES.get(noise), heat

    def disturb(self, logits):
        return logits + self.noise(logits.size())

    def forward(self, x):
        logits = self.to_logits(x)
        if self.training:
            logits = self.disturb(logits)
        return (logits / self.heat).softmax(-1) @ self.codes.weight


class BottleneckLike(Bottleneck):
    def disturb(self, logits):
        return logits + gumbel_of(logits)


class BottleneckHard(BottleneckLike):
    """A 0-dim heat and a CPU index list are both allowed beside tensors of another device."""

    def forward(self, x):
        heat = torch.tensor(0.5)  # ok: TL204
        logits = self.to_logits(x) / heat
        order = torch.arange(logits.size(-1) - 1, -1, -1)  # ok: TL204
        return logits[..., order].softmax(-1) @ self.codes.weight


def sample_prior(decoder, count, codes=5):
    """Not on any forward path: the caller moves the result."""
    return decoder(nn.functional.one_hot(torch.randint(0, codes, (count,)), codes).float())  # ok: TL204


def demonstrate():
    x = torch.randn(2, 4, device="meta")
    for name in NOISES:
        assert Bottleneck(noise=name)(torch.randn(2, 4)).shape == (2, 4)
        try:
            Bottleneck(noise=name).to("meta")(x)
            raise AssertionError("noise of the CPU was added")
        except RuntimeError as err:
            assert "is not on the expected device" in str(err), err
        Bottleneck(noise=name).to("meta").eval()(x)
    for cls in (BottleneckLike, BottleneckHard):
        assert cls().to("meta")(x).device.type == "meta"
    assert sample_prior(nn.Linear(5, 2), 3).shape == (3, 2)
