"""A helper converts to the type that it is given, and some caller gives half."""

import torch
from torch import nn


class Norm(nn.Module):
    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-9)  # expect: TL302


class NormOfBrain(nn.Module):
    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-9)  # ok: TL302  bfloat16 has the range


class NormOfSingle(nn.Module):
    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-9)  # ok: TL302


def cast(net, dtype):
    return net.to(dtype)


def cast_otherwise(net, dtype):
    return net.to(dtype=dtype)


def cast_never(net, dtype):
    return net.to(dtype)


def halved():
    return cast(Norm(), torch.float16)


def lowered():
    return cast_otherwise(NormOfBrain(), dtype=torch.bfloat16)


def single():
    return cast_never(NormOfSingle(), torch.float32)


def demonstrate():
    zero = torch.zeros(1, 4)
    assert halved()(zero.half()).isnan().all()
    assert lowered()(zero.bfloat16()).isfinite().all() and single()(zero).isfinite().all()
