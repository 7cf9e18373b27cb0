"""Attention functions are looked up by name; the eager one blocks pairs with a constant that only brain float can hold.

source: huggingface/lerobot#710 (a constant of -2.38e38 in where), google/flax#982
rules: [TL302]
"""
import math

import torch
from torch import nn

BLOCKED = -2.3819763e38
REGISTRY = {}


def attention(name):
    def add(fn):
        REGISTRY[name] = fn
        return fn

    return add


def scaled(q, k):
    return q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])


@attention("eager")
def eager(q, k, v, allowed):
    weights = torch.where(allowed, scaled(q, k), BLOCKED)  # expect: TL302
    return weights.softmax(-1) @ v


@attention("upcast")
def upcast(q, k, v, allowed):
    weights = torch.where(allowed, scaled(q, k).float(), BLOCKED)  # ok: TL302
    return weights.softmax(-1).to(v.dtype) @ v


@attention("own_range")
def own_range(q, k, v, allowed):
    s = scaled(q, k)
    weights = torch.where(allowed, s, torch.finfo(s.dtype).min)  # ok: TL302
    return weights.softmax(-1) @ v


class Policy(nn.Module):
    def __init__(self, dim=4, implementation="eager"):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.implementation = implementation

    def forward(self, x, allowed):
        q, k, v = self.qkv(x).chunk(3, -1)
        return REGISTRY[self.implementation](q, k, v, allowed)


class Runner:
    def __init__(self, policy, half=False):
        self.policy = policy.half() if half else policy

    def step(self, obs, allowed):
        obs = obs.to(next(self.policy.parameters()).dtype)
        return self.policy(obs, allowed)


def main(implementation="eager", fp16=True):
    torch.manual_seed(1)
    return Runner(Policy(implementation=implementation), half=fp16)


def demonstrate():
    x = torch.randn(1, 3, 4)
    allowed = torch.ones(3, 3, dtype=torch.bool).tril()
    allowed[0] = False  # a padded row
    assert main().step(x, allowed)[0, 0].isnan().all()
    assert main(fp16=False).step(x, allowed).isfinite().all()
    for name in ("upcast", "own_range"):
        assert main(name).step(x, allowed).isfinite().all()
