"""A helper, a mixin's constructor or a loop that registers before nn.Module is initialised."""

import torch
from torch import nn


class Early(nn.Module):
    def __init__(self, dim: int):
        self._build(dim)
        super().__init__()

    def _build(self, dim):
        self.layer = nn.Linear(dim, dim)  # expect: TL109
        self.width = dim  # ok: TL109


class ByName(nn.Module):
    def __init__(self, dim: int):
        for name in ("query", "key"):
            setattr(self, name, nn.Linear(dim, dim))  # expect: TL109
        super().__init__()


class Late(nn.Module):
    def __init__(self, dim: int):
        layer = nn.Linear(dim, dim)
        width = dim * 2
        nn.Module.__init__(self)
        self.layer = layer  # ok: TL109
        self.width = width


class Mixin:
    def __init__(self, dim: int, **kwargs):
        super().__init__(**kwargs)
        self.head = nn.Linear(dim, dim)  # ok: TL109  the next class in order is nn.Module


class Mixed(Mixin, nn.Module):
    def __init__(self, dim: int):
        super().__init__(dim)
        self.body = nn.Linear(dim, dim)  # ok: TL109


def demonstrate():
    for owner in (Early, ByName):
        try:
            owner(3)
        except AttributeError:
            continue
        raise AssertionError(owner)
    Late(3), Mixed(3)
