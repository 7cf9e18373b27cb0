"""A value that only starts from the weights and is written by later code is state of its own."""

import torch
from torch import nn


class Averaged(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim))
        self.register_buffer("shadow", self.weight.detach() * 1.0)  # ok: TL106  update() moves it
        self.register_buffer("lowest", self.weight.detach().abs())  # ok: TL106  written in place by forward

    def update(self):
        with torch.no_grad():
            self.shadow.lerp_(self.weight, 0.1)

    def forward(self, x):
        torch.minimum(self.lowest, self.weight.detach().abs(), out=self.lowest)
        return x * (self.weight if self.training else self.shadow) + self.lowest


class Prepared(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim))
        self.prepare()

    def prepare(self):
        self.inverse = 1 / self.weight.detach()  # ok: TL106  forward prepares it anew

    def forward(self, x):
        if self.training:
            self.prepare()
        return x * self.inverse


class PreparedAfterLoad(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim))
        self.register_buffer("inverse", 1 / self.weight.detach(), persistent=False)  # ok: TL106
        self.register_load_state_dict_post_hook(lambda module, keys: module.prepare())

    def prepare(self):
        self.inverse = 1 / self.weight.detach()

    def forward(self, x):
        return x * self.inverse


class PreparedForItsCaller(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim))
        self.prepare_for(2.0)

    def prepare_for(self, temperature: float):
        self.inverse = temperature / self.weight.detach()  # ok: TL106  callers prepare it with what they have

    def forward(self, x):
        return x * self.inverse


class NeverPrepared(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim))
        self._prepare()

    def _prepare(self):
        self.register_buffer("inverse", 1 / self.weight.detach())  # expect: TL106

    def forward(self, x):
        return x * self.inverse


def demonstrate():
    for kind in (Averaged, Prepared, PreparedAfterLoad, PreparedForItsCaller, NeverPrepared):
        kind(3)(torch.ones(2, 3))
    for kind, is_true in ((PreparedAfterLoad, True), (NeverPrepared, False)):
        trained, loaded = kind(3), kind(3)
        with torch.no_grad():
            trained.weight.add_(1)
        loaded.load_state_dict(trained.state_dict())
        assert torch.equal(loaded.inverse, 1 / loaded.weight) is is_true, kind
