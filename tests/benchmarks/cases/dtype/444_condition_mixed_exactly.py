"""A diffusion block mixes time and condition "exactly": a base class offers a context for it, and one subclass brings a bf16 condition.

source: pytorch/pytorch#42358 kind; time-embedding MLPs kept out of autocast with a helper context
rules: [TL409]
"""
import contextlib
import math

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Exact:
    @contextlib.contextmanager
    def exactly(self):
        with torch.autocast(KIND, enabled=False):
            yield

    @staticmethod
    def waves(t, dim):
        freq = torch.exp(-math.log(1e4) * torch.arange(dim // 2, device=t.device) / (dim // 2))
        a = t.float()[:, None] * freq
        return torch.cat([a.cos(), a.sin()], dim=-1)


class Mixer(Exact, nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.words, self.time, self.mix = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)

    def clock(self, t):
        with self.exactly():
            return self.time(self.waves(t, self.dim))  # ok: TL409

    def join(self, t, cond):
        raise NotImplementedError

    def forward(self, t, text):
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            return self.join(t, self.words(text))


class Uncast(Mixer):
    def join(self, t, cond):
        clock = self.clock(t)
        with self.exactly():
            return clock + self.mix(cond)  # expect: TL409


class Added(Mixer):
    """The sum with the float32 clock is float32 before the layer sees it."""

    def join(self, t, cond):
        clock = self.clock(t)
        with self.exactly():
            return self.mix(clock + cond)  # ok: TL409


class Cast(Mixer):
    def join(self, t, cond):
        clock = self.clock(t)
        with self.exactly():
            return clock + self.mix(cond.type_as(clock))  # ok: TL409


class Outside(Mixer):
    def join(self, t, cond):
        return self.clock(t) + self.mix(cond)  # ok: TL409


def demonstrate():
    torch.manual_seed(0)
    t, text = torch.tensor([3, 700], device=KIND), torch.randn(2, 4, device=KIND)
    try:
        Uncast(4).to(KIND)(t, text)
        raise AssertionError("a bf16 condition met float32 weights")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    for kind in (Added, Cast, Outside):
        assert kind(4).to(KIND)(t, text).shape == (2, 4), kind
