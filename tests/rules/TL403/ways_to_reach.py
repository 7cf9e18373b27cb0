"""The ways from a region to a function: methods, modules in lists, callables on attributes, checkpoint, decorators."""
import functools

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Rotary(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.register_buffer("frequencies", torch.arange(dim) / dim)

    def forward(self, positions):
        return self.frequencies[:, None].float() @ positions[None].float()  # expect: TL403


class Block(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        return self.proj(x.float())  # expect: TL403


class Scorer:
    def __call__(self, a, b):
        return torch.matmul(a.float(), b)  # expect: TL403


class Base(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.rotary = Rotary(dim)
        self.blocks = nn.ModuleList([Block(dim) for _ in range(2)])
        self.tail = nn.Sequential(Block(dim), nn.ReLU())
        self.scorer = Scorer()
        self.score = scored
        self.mixed = functools.partial(torch.autocast, "cpu", dtype=torch.bfloat16)

    def weighted(self, x):
        return x.t().float() @ x  # expect: TL403

    def summed(self, x):
        return x.float().sum()  # ok: TL403  a reduction is honoured

    @staticmethod
    def gram(x):
        return x.float().mm(x.t())  # expect: TL403


def scored(a, b):
    return a.float() @ b  # expect: TL403


def followed(a, b):
    return a.to(b.dtype) @ b  # ok: TL403  it follows the other operand


def masked(a, b):
    return (a > 0).float() @ b  # ok: TL403  a mask is converted


class Model(Base):
    def forward(self, x):
        with self.mixed():
            x = self.rotary(x[:, 0]).t() @ x.new_ones(4, 4)
            for block in self.blocks:
                x = block(x)
            x = self.tail(x)
            x = checkpoint(self._inner, x, use_reentrant=False)
            return self.weighted(x), self.summed(x), self.gram(x), self.scorer(x, x.t()), self.score(x, x.t())

    def _inner(self, x):
        return followed(x, x.t()) @ masked(x, x.t()).t() @ x.double().to(torch.float32)  # expect: TL403


class Decorated(Base):
    @torch.autocast("cpu", dtype=torch.bfloat16)
    def forward(self, x):
        return self._product(x)

    def _product(self, x):
        return nn.functional.linear(x.float(), x)  # expect: TL403

    def unreached(self, x):
        return x.float() @ x.t()  # ok: TL403


def demonstrate():
    x = torch.rand(4, 4)
    found = Model()(x)
    assert [one.dtype for one in found] == [torch.bfloat16, torch.float32, *[torch.bfloat16] * 3]
    assert Decorated()(x).dtype == torch.bfloat16
