"""Buffers registered as None in a loop or by register_parameter's cousin, and filled by forward or by a fit."""

import torch
from torch import nn


class Fitted(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", None)  # note: TL120
        self.register_buffer("scale", None, persistent=False)  # ok: TL120  # expect: TL122

    def fit(self, data):
        self.mean, self.scale = data.mean(0), data.std(0)

    def forward(self, x):
        return x if self.mean is None else (x - self.mean) / self.scale


class Initialised(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(dim))  # ok: TL120
        self.register_buffer("extra", None)  # ok: TL120  nothing fills it

    def fit(self, data):
        self.mean.copy_(data.mean(0))

    def forward(self, x):
        return x - self.mean


def demonstrate():
    module = Fitted()
    module.fit(torch.randn(4, 2))
    try:
        Fitted().load_state_dict(module.state_dict())
    except RuntimeError:
        pass
    else:
        raise AssertionError
    Initialised(2).load_state_dict(Initialised(2).state_dict())
