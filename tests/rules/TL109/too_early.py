"""State that is assigned while the object is no Module yet, by whatever way."""
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.start()

    def start(self):
        pass

    def forward(self, x):
        return self.mix(x)


class Layer(Base):
    def __init__(self, dim: int = 2):
        self.dim = dim  # ok: TL109
        self.extra = nn.Linear(dim, dim)  # expect: TL109
        super().__init__(dim)
        self.last = nn.Linear(dim, dim)  # ok: TL109


class Weight(Base):
    def __init__(self):
        weight = nn.Parameter(torch.ones(2))
        self.weight = weight  # expect: TL109
        self.initial = weight.detach()  # ok: TL109  a plain tensor
        super().__init__()


class Registered(Base):
    def __init__(self):
        self.register_buffer("scale", torch.ones(2))  # expect: TL109
        super().__init__()
        self.register_buffer("shift", torch.zeros(2))  # ok: TL109


class Given(Base):
    def __init__(self, part: nn.Module, name: str):
        self.part = part  # expect: TL109
        self.name = name  # ok: TL109
        super(Given, self).__init__()


class Taken(Base):
    """Nothing describes the argument; what the class does with it does."""

    def __init__(self, part, other):
        self.part = part  # expect: TL109
        self.other = other  # ok: TL109
        Base.__init__(self)

    def start(self):
        self.sizes = [parameter.shape for parameter in self.part.parameters()]


class ByHelper(Base):
    def build(self):
        self.part = nn.Linear(2, 2)  # expect: TL109

    def __init__(self):
        self.parts = []  # ok: TL109
        self.build()
        super().__init__()


class ByName(Base):
    def __init__(self):
        setattr(self, "part", nn.Linear(2, 2))  # expect: TL109
        self.note = None  # ok: TL109
        super().__init__()


class Hook(Base):
    """The base calls the hook once it is a Module."""

    def start(self):
        self.part = nn.Linear(2, 2)  # ok: TL109


def demonstrate():
    part = nn.Linear(2, 2)
    makers = (Layer, Weight, Registered, lambda: Given(part, "x"), lambda: Taken(part, 1), ByHelper, ByName)
    for make in makers:
        try:
            make()
            raise AssertionError("state before Module.__init__ should be refused")
        except AttributeError as error:
            assert "before Module.__init__" in str(error), error
    assert len(list(Hook().parameters())) == 4
