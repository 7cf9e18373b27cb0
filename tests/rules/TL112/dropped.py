"""A cached_property that every event drops is a cache that is kept right; so is a constant that its readers convert."""
from functools import cached_property

import torch
from torch import nn


class Memo(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.weight = nn.Parameter(torch.ones(dim))

    def forget(self):
        self.__dict__.pop("table", None)

    def forward(self, x):
        return x * self.table * self.weight


class NeverDropped(Memo):
    @cached_property  # expect: TL112
    def table(self):
        return self.weight.exp().detach()


class DroppedByApplyOnly(Memo):
    @cached_property  # expect: TL112
    def table(self):
        return self.weight.exp().detach()

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)


class DroppedByAll(Memo):
    @cached_property  # ok: TL112
    def table(self):
        return self.weight.exp().detach()

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.forget()
        super()._load_from_state_dict(*args, **kwargs)

    def train(self, mode: bool = True):
        self.forget()
        return super().train(mode)


class ConstantDroppedByApply(Memo):
    @cached_property  # ok: TL112  no load changes it
    def table(self):
        return torch.arange(self.dim, device=self.weight.device, dtype=self.weight.dtype)

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)


class ConvertedWhenRead(Memo):
    @cached_property  # ok: TL112
    def table(self):
        return torch.arange(self.dim).float()

    def forward(self, x):
        return x * self.table.to(x) * self.weight


def is_right_after_load(kind: type[Memo]) -> bool:
    module, x = kind(), torch.ones(4)
    module(x)
    module.load_state_dict({"weight": torch.zeros(4)})
    fresh = kind()
    fresh.load_state_dict(module.state_dict())
    return torch.equal(module.table, fresh.table)


def demonstrate():
    for kind, right in (
        (NeverDropped, False), (DroppedByApplyOnly, False), (DroppedByAll, True),
        (ConstantDroppedByApply, True), (ConvertedWhenRead, True),
    ):
        assert is_right_after_load(kind) is right, kind
