"""The test asks a count or a flag that earlier calls left, and not the value itself."""

import torch
from torch import nn


class Counted(nn.Module):
    def __init__(self, dim: int, total: int = 100):
        super().__init__()
        self.total = total
        self.used = 0
        self.masks = torch.ones(total, dim)  # expect: TL101

    def forward(self, x):
        if self.used + 10 > self.total:
            self.used = 0
            self.masks = torch.rand(self.total, 4, device=x.device)  # expect: TL104
        self.used = self.used + 10
        return x * self.masks[self.used - 10 : self.used].mean(0)


class Flagged(nn.Module):
    def __init__(self):
        super().__init__()
        self.built = False

    def forward(self, x):
        if not self.built:
            self.table = torch.arange(4, device=x.device)  # expect: TL104
            self.built = True
        return x + self.table


class FlaggedAndMoved(nn.Module):
    def __init__(self):
        super().__init__()
        self.built = False

    def forward(self, x):
        if not self.built:
            self.table = torch.arange(4)  # ok: TL104  converted at its only read
            self.built = True
        return x + self.table.to(x)


class KeptAsked(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = None

    def forward(self, x):
        if self.table is None or self.table.device != x.device:
            self.table = torch.arange(4, device=x.device)  # ok: TL104
        return x + self.table


class FlaggedByDevice(nn.Module):
    def __init__(self):
        super().__init__()
        self.built_on = None

    def forward(self, x):
        if self.built_on != x.device:
            self.table = torch.arange(4, device=x.device)  # ok: TL104
            self.built_on = x.device
        return x + self.table


def demo():
    x = torch.ones(2, 4)
    for kind in (Counted, Flagged):
        module = kind(4) if kind is Counted else kind()
        module(x)
        module.to("meta")
        try:
            module(x.to("meta"))
        except RuntimeError as error:
            assert "device" in str(error)
        else:
            raise AssertionError(kind)
    for kind in (FlaggedAndMoved, KeptAsked, FlaggedByDevice):
        module = kind()
        module(x)
        assert module.to("meta")(x.to("meta")).is_meta
