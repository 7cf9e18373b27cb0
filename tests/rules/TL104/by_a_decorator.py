"""A decorator of the project keeps what the method returns under a name alone."""

import functools

import torch
from torch import nn


def kept_under(name):
    def decorate(method):
        @functools.wraps(method)
        def inner(self, *args):
            if not hasattr(self, name):
                setattr(self, name, method(self, *args))
            return getattr(self, name)

        return inner

    return decorate


def kept_by_length(method):
    @functools.wraps(method)
    def inner(self, length, device):
        key = (length, device)
        if key not in self.tables:
            self.tables[key] = method(self, length, device)  # ok: TL104
        return self.tables[key]

    return inner


def counted(method):
    @functools.wraps(method)
    def inner(self, *args):
        self.calls = self.calls + 1
        return method(self, *args)

    return inner


def dropped_on_request(method):
    @functools.wraps(method)
    def inner(self, *args):
        if self.fresh:
            self.kept.clear()
        if "value" not in self.kept:
            self.kept["value"] = method(self, *args)  # ok: TL104  who sets `fresh` decides how long it lives
        return self.kept["value"]

    return inner


class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    @counted
    def table(self, x):
        return torch.arange(x.shape[-1], device=x.device)  # ok: TL104

    def forward(self, x):
        return x + self.table(x)


class Dropped(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {}
        self.fresh = False

    @dropped_on_request
    def table(self, length):
        return torch.arange(length)  # expect: TL204

    def forward(self, x):
        return x + self.table(x.shape[-1])


class Converted(nn.Module):
    """Every caller converts what the decorator keeps, and the length never changes."""

    @kept_under("_grid")
    def grid(self):
        return torch.arange(4)

    def forward(self, x):
        return x + self.grid().to(x)


class Positions(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    @kept_under("_table")
    def table(self, length, device):
        return torch.arange(length, device=device)[:, None] / torch.ones(self.dim, device=device)

    def forward(self, x):
        return x + self.table(x.shape[1], x.device)


class Keyed(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = {}

    @kept_by_length
    def table(self, length, device):
        return torch.arange(length, device=device)

    def forward(self, x):
        return x + self.table(x.shape[1], x.device)[:, None]


def demonstrate():
    module = Positions(3)
    module(torch.zeros(1, 4, 3))
    try:
        module(torch.zeros(1, 5, 3))
    except RuntimeError:
        pass
    else:
        raise AssertionError
    for harmless in (Counted(), Dropped(), Converted()):
        harmless(torch.zeros(2, 4))
    keyed = Keyed()
    keyed(torch.zeros(1, 4, 3))
    keyed(torch.zeros(1, 5, 3))
