"""try/except, a walrus and a tuple of tables keep a value as a test for None does."""

import torch
from torch import nn


class Tried(nn.Module):
    def forward(self, x):
        try:
            ramp = self._ramp
        except AttributeError:
            ramp = self._ramp = torch.linspace(0, 1, x.shape[-1], device=x.device)  # expect: TL104
        return x * ramp


class Walrus(nn.Module):
    def __init__(self):
        super().__init__()
        self._mask = None

    def forward(self, x):
        if (mask := self._mask) is None or mask.shape[-1] < x.shape[-1]:
            mask = torch.ones(x.shape[-1], x.shape[-1], device=x.device).triu(1).bool()
            self._mask = mask  # expect: TL104
        return x.masked_fill(mask[: x.shape[-1], : x.shape[-1]], 0.0)


class WalrusAsking(nn.Module):
    def __init__(self):
        super().__init__()
        self._mask = None

    def forward(self, x):
        if (mask := self._mask) is None or mask.shape[-1] < x.shape[-1] or mask.device != x.device:
            mask = torch.ones(x.shape[-1], x.shape[-1], device=x.device).triu(1).bool()
            self._mask = mask  # ok: TL104
        return x.masked_fill(mask[: x.shape[-1], : x.shape[-1]], 0.0)


class Paired(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim
        self.tables = None

    def _build(self, length):
        angles = torch.outer(torch.arange(length), torch.ones(self.dim))
        return angles.cos(), angles.sin()

    def forward(self, x):
        if not self.tables:
            self.tables = self._build(x.shape[1])  # expect: TL104
        cos, sin = self.tables
        return x * cos + x * sin


class PairedAsking(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim
        self.tables = None
        self.key = None

    def forward(self, x):
        key = (x.shape[1], x.device, x.dtype)
        if self.key != key:
            angles = torch.outer(torch.arange(x.shape[1]), torch.ones(self.dim)).to(x)
            self.tables = (angles.cos(), angles.sin())  # ok: TL104
            self.key = key
        cos, sin = self.tables
        return x * cos + x * sin


def demonstrate():
    for module in (Tried(), Paired(5)):
        module(torch.ones(1, 5, 5))
        try:
            module(torch.ones(1, 6, 6 if isinstance(module, Tried) else 5))
        except RuntimeError:
            continue
        raise AssertionError(module)
    module = Walrus()
    module(torch.ones(5, 5))
    assert module._mask.device.type == "cpu"
    try:
        module(torch.ones(5, 5, device="meta"))
    except (RuntimeError, NotImplementedError):
        pass
    WalrusAsking()(torch.ones(2, 2)), PairedAsking(2)(torch.ones(1, 2, 2))
