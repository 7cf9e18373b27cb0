"""No constructor of the class runs that of nn.Module."""
from torch import nn


class Forgotten(nn.Module):
    def __init__(self, dim: int = 2):
        self.dim = dim  # ok: TL109
        self.mix = nn.Linear(dim, dim)  # expect: TL109

    def forward(self, x):
        return self.mix(x)


class Unbound(nn.Module):
    """super() with a class and no object is bound to nothing."""

    def __init__(self):
        super(Unbound).__init__()
        self.mix = nn.Linear(2, 2)  # expect: TL109
        self.last = nn.Linear(2, 2)  # ok: TL109  construction stops at the first

    def forward(self, x):
        return self.last(self.mix(x))


class Template(Forgotten):
    """A program writes the class that runs from this one, with the body of the base in the place of the call."""

    def __init__(self):
        nn.Module.__init__()
        self.mix = nn.Linear(2, 2)  # ok: TL109  constructing it raises, as its author knows
        self.last = nn.Linear(2, 2)  # ok: TL109


class Settings:
    def __init__(self):
        self.size = 2


class MixedIn(Settings, nn.Module):
    """The constructor of the plain class stands first and calls no other."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(self.size, self.size)  # expect: TL109

    def forward(self, x):
        return self.mix(x)


class ModuleFirst(nn.Module, Settings):
    def __init__(self):
        super().__init__()
        Settings.__init__(self)
        self.mix = nn.Linear(self.size, self.size)  # ok: TL109

    def forward(self, x):
        return self.mix(x)


class ByHand(Settings, nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        Settings.__init__(self)
        self.mix = nn.Linear(self.size, self.size)  # ok: TL109

    def forward(self, x):
        return self.mix(x)


class Plain:
    def __init__(self):
        self.mix = nn.Linear(2, 2)  # ok: TL109  no Module


class Initialised(nn.Module):
    def __init__(self):
        self.prepare()
        self.mix = nn.Linear(2, 2)  # ok: TL109

    def prepare(self):
        super().__init__()

    def forward(self, x):
        return self.mix(x)


def demonstrate():
    for kind in (Forgotten, Unbound, MixedIn):
        try:
            kind()
            raise AssertionError("state before Module.__init__ should be refused")
        except AttributeError as error:
            assert "before Module.__init__" in str(error), error
    for kind in (ModuleFirst, ByHand, Initialised):
        assert len(list(kind().parameters())) == 2, kind
