"""A key names the device and dtype that **options collects; a table is made for both, whoever hands them on."""

import torch
from torch import nn


class Levels(nn.Module):
    def __init__(self, count: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(count))
        self.kept = {}

    def levels(self, count, **options):
        return torch.linspace(0.0, 1.0, count, **options)

    def forward(self, x):
        return x * self.levels(x.shape[-1], device=self.weight.device, dtype=self.weight.dtype)


class KeyedByBoth(Levels):
    def levels(self, count, **options):
        key = (count, options["device"], options.get("dtype"))
        if key not in self.kept:
            self.kept[key] = super().levels(count, **options)  # ok: TL104, TL102
        return self.kept[key]


class KeyedByDtype(Levels):
    def levels(self, count, **options):
        key = (count, options["dtype"])
        if key not in self.kept:
            self.kept[key] = super().levels(count, **options)  # expect: TL104
        return self.kept[key]


class KeyedByTaking(Levels):
    def levels(self, count, **options):
        device, dtype = options.pop("device"), options.pop("dtype", None)
        if (count, device, dtype) not in self.kept:
            self.kept[count, device, dtype] = super().levels(count, device=device, dtype=dtype)  # ok: TL104, TL102
        return self.kept[count, device, dtype]


class KeyedByCount(Levels):
    def levels(self, count, **options):
        if count not in self.kept:
            self.kept[count] = super().levels(count, **options)  # expect: TL104
        return self.kept[count]
