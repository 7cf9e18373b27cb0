"""Dicts: on the object, on the class, at the top of the file; a shared one must name the settings too."""
import torch
from torch import nn

TABLES = {}


class Keyed(nn.Module):
    shared = {}

    def __init__(self, dim: int = 4, base: float = 2.0):
        super().__init__()
        self.dim = dim
        self.base = base
        self.tables = {}

    def build(self, x):
        return self.base ** torch.arange(self.dim, device=x.device, dtype=x.dtype)

    def forward(self, x):
        return x + self.table(x)


class ByDevice(Keyed):
    def table(self, x):
        if x.device not in self.tables:
            self.tables[x.device] = self.build(x)  # expect: TL104
        return self.tables[x.device]


class ByGet(Keyed):
    def table(self, x):
        table = self.tables.get(str(x.device))
        if table is None:
            table = self.build(x)
            self.tables[str(x.device)] = table  # expect: TL104
        return table


class OnTheClass(Keyed):
    def table(self, x):
        key = (self.dim, x.device, x.dtype)
        if key not in self.shared:
            self.shared[key] = self.build(x)  # expect: TL104
        return self.shared[key]


class ThroughTheClass(Keyed):
    def table(self, x):
        key = f"{self.base}_{x.device}_{x.dtype}"
        if key not in type(self).shared:
            type(self).shared[key] = self.build(x)  # expect: TL104
        return type(self).shared[key]


class AtTheTop(Keyed):
    def table(self, x):
        key = (self.dim, self.base)
        if key not in TABLES:
            TABLES[key] = self.build(x)  # expect: TL104
        return TABLES[key]


class PartOfAParameter(Keyed):
    """What an index takes out of a Parameter is a copy."""

    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.rows = nn.Parameter(torch.ones(2, dim))
        self.register_buffer("order", torch.tensor([1]))

    def table(self, x):
        key = (x.device, x.dtype)
        if key not in self.tables:
            self.tables[key] = self.rows[self.order]  # expect: TL104
        return self.tables[key]


class FullKey(Keyed):
    def table(self, x):
        key = (x.device, x.dtype)
        if key not in self.tables:
            self.tables[key] = self.build(x)  # ok: TL104  one object has one dim and one base
        return self.tables[key]


class FullSharedKey(Keyed):
    def table(self, x):
        key = (self.dim, self.base, x.device, x.dtype)
        if key not in self.shared:
            self.shared[key] = self.build(x)  # ok: TL104
        return self.shared[key]


class FullKeyAtTheTop(Keyed):
    def table(self, x):
        key = (self.dim, self.base, str(x.device), x.dtype)
        if key not in TABLES:
            TABLES[key] = self.build(x)  # ok: TL104
        return TABLES[key]


class ConvertedWhenRead(Keyed):
    def table(self, x):
        if x.shape not in self.tables:
            self.tables[x.shape] = self.build(x)  # ok: TL104
        return self.tables[x.shape].to(x)


class ConvertedByTheCaller(Keyed):
    def table(self, x):
        if self.dim not in self.tables:
            self.tables[self.dim] = self.build(x)  # ok: TL104
        return self.tables[self.dim]

    def forward(self, x):
        return x + self.table(x).to(device=x.device, dtype=x.dtype)


class OfNumbers(Keyed):
    def table(self, x):
        if self.dim not in self.tables:
            self.tables[self.dim] = self.base * self.dim  # ok: TL104
        return self.tables[self.dim]


def raises(kind: type[Keyed]) -> bool:
    module = kind()
    module(torch.ones(4))
    try:
        module(torch.ones(4, device="meta"))
    except RuntimeError:
        return True
    return False


def demonstrate():
    assert raises(AtTheTop)
    module = PartOfAParameter()
    module(torch.ones(4))
    module.rows.data.zero_()
    assert torch.equal(module.table(torch.ones(4)), torch.ones(1, 4))
    assert not any(raises(kind) for kind in (FullKey, FullSharedKey, FullKeyAtTheTop, ConvertedWhenRead, OfNumbers))
    for kind in (ByDevice, ByGet):
        module = kind()
        module(torch.ones(4))
        assert module.table(torch.ones(4).half()).dtype is torch.float32
    for kind, other in ((OnTheClass, {"base": 3.0}), (ThroughTheClass, {"dim": 5})):
        kind()(torch.ones(4))
        x = torch.ones(other.get("dim", 4))
        assert not torch.equal(kind(**other).table(x), kind(**other).build(x)), kind
