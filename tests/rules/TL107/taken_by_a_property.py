"""A property of a base class has the name: torch asks for the attribute, and the property answers."""

from functools import cached_property

import torch
from torch import nn


class Grid(nn.Module):
    bits: int = 8

    def __init__(self, dim: int = 2):
        super().__init__()
        self.dim = dim

    @property
    def levels(self) -> int:
        return 2**self.bits

    @property
    def width(self):
        return self.dim * 2

    @cached_property
    def centre(self):
        return self.dim // 2

    @property
    def filled(self):
        return self.later

    @property
    def shared(self):
        return self._buffers["shared_"]

    @staticmethod
    def area(x):
        return x * x

    @torch.no_grad()
    def spread(self, x):
        return x.std()

    def forward(self, x):
        return x


class ByClassValue(Grid):
    def __init__(self):
        super().__init__()
        self.register_buffer("levels", torch.ones(2))  # expect: TL107


class ByAttribute(Grid):
    def __init__(self):
        super().__init__()
        self.register_buffer("width", torch.ones(2))  # expect: TL107


class Cached(Grid):
    def __init__(self):
        super().__init__()
        self.register_parameter("centre", nn.Parameter(torch.ones(2)))  # expect: TL107


class Assigned(Grid):
    def __init__(self):
        super().__init__()
        self.levels = nn.Parameter(torch.ones(2))  # expect: TL107


class Hidden(Grid):
    def __init__(self):
        super().__init__()
        self.width = nn.Linear(2, 2)  # expect: TL107


class Static(Grid):
    def __init__(self):
        super().__init__()
        self.register_buffer("area", torch.ones(2))  # expect: TL107


class Decorated(Grid):
    def __init__(self):
        super().__init__()
        self.register_buffer("spread", torch.ones(2))  # expect: TL107


class NotYet(Grid):
    """The property raises AttributeError, so that torch takes the name as free."""

    def __init__(self):
        super().__init__()
        self.register_buffer("filled", torch.ones(2))  # ok: TL107
        self.later = 1


class TooEarly(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.register_buffer("size", torch.ones(2))  # ok: TL107
        self.dim = dim

    @property
    def size(self):
        return self.dim


class Sometimes(nn.Module):
    def __init__(self, dim: int = 2, known: bool = False):
        super().__init__()
        if known:
            self.dim = dim
        self.register_buffer("size", torch.ones(2))  # ok: TL107

    @property
    def size(self):
        return self.dim


class Beside(Grid):
    def __init__(self):
        super().__init__()
        self.register_buffer("levels_", torch.ones(2))  # ok: TL107
        self.register_buffer("shared_", torch.ones(2))  # ok: TL107
        self.peak = nn.Parameter(torch.ones(2))  # ok: TL107


class WithBounds(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bounds", torch.ones(2))  # ok: TL107  super() has none yet, so that the property raises

    def forward(self, x):
        return x


class Checked(WithBounds):
    @property
    def bounds(self):
        return super().bounds


class Switched(nn.Module):
    def __init__(self):
        super().__init__()
        self.switch = nn.Identity()  # ok: TL107  the subclass below takes it out again


class SwitchedByMode(Switched):
    def __init__(self):
        super().__init__()
        del self.switch

    @property
    def switch(self):
        return self.training


class Turned(nn.Module):
    def __init__(self):
        super().__init__()
        self.turn = nn.Identity()  # expect: TL107


class TurnedByMode(Turned):
    @property
    def turn(self):
        return self.training


class Perhaps(nn.Module):
    def __init__(self, drops: bool = False):
        super().__init__()
        self.gate = nn.Identity()  # expect: TL107
        if drops:
            del self.gate

    @property
    def gate(self):
        return self.training


def demonstrate():
    for broken in (ByClassValue, ByAttribute, Cached, Assigned, Static, Decorated):
        try:
            broken()
        except KeyError:
            continue
        raise AssertionError(broken)
    assert Hidden().width == 4
    assert Perhaps().gate is True and not Perhaps(drops=True)._modules
    assert not SwitchedByMode()._modules and TurnedByMode().turn is True and "turn" in TurnedByMode()._modules
    for right in (NotYet, TooEarly, Sometimes, Beside, Checked):
        right()


if __name__ == "__main__":
    demonstrate()
