"""A rotary base of one million is raised to half exponents: the power is inf, its inverse zero, most dimensions never turn.

source: NVIDIA-NeMo/Automodel#2549 kind (rotary tables built in low precision); rope_theta values of long-context models
rules: [TL302]
"""
from types import SimpleNamespace

import torch
from torch import nn


def inverse_frequencies(width, like):
    steps = torch.arange(0, width, 2, device=like.device).to(torch.float16) / width
    return 1.0 / (1_000_000.0 ** steps)  # expect: TL302


def inverse_frequencies_wide(width, like):
    steps = torch.arange(0, width, 2, device=like.device, dtype=torch.float32) / width
    return (1.0 / (1_000_000.0 ** steps)).to(torch.float16)  # ok: TL302


def inverse_frequencies_brain(width, like):
    steps = torch.arange(0, width, 2, device=like.device).bfloat16() / width
    return 1.0 / (1_000_000.0 ** steps)  # ok: TL302


def inverse_frequencies_short(width, like):
    # the base of the first models stays inside the range
    steps = torch.arange(0, width, 2, device=like.device).half() / width
    return 1.0 / (10_000.0 ** steps)  # ok: TL302


class Turner(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.width, self.rule = cfg.width, cfg.rule

    def angles(self, x):
        inv = self.rule(self.width, x)
        pos = torch.arange(x.shape[-2], device=x.device, dtype=inv.dtype)
        return torch.outer(pos, inv)

    def forward(self, x):
        a = self.angles(x).to(x.dtype)
        left, right = x.chunk(2, -1)
        return torch.cat((left * a.cos() - right * a.sin(), right * a.cos() + left * a.sin()), -1)


class Layer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.turn, self.q = Turner(cfg), nn.Linear(cfg.width, cfg.width)

    def forward(self, x):
        return self.turn(self.q(x))


def build(rule=inverse_frequencies, width=8):
    return Layer(SimpleNamespace(width=width, rule=rule)).half()


def demonstrate():
    x = torch.randn(1, 6, 8).half()
    bad = build()
    assert bad(x).shape == x.shape  # nothing raises
    assert (inverse_frequencies(8, x)[1:] == 0).all()
    for rule in (inverse_frequencies_wide, inverse_frequencies_brain, inverse_frequencies_short):
        assert (rule(8, x) > 0).all() and build(rule)(x).isfinite().all()
