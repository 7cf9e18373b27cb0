"""A registering call wants a name that the object does not have yet."""
import torch
from torch import nn


class AfterNone(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = None
        self.register_buffer("mask", torch.ones(1))  # expect: TL107


class AfterNoneOfAnnotation(nn.Module):
    mask: torch.Tensor

    def __init__(self):
        super().__init__()
        self.mask = None
        self.register_buffer("mask", torch.ones(1))  # expect: TL107


class AfterTensor(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(1)  # ok: TL101  the constructor raises below
        self.register_parameter("scale", nn.Parameter(self.scale))  # expect: TL107


class AfterBase(AfterNone):
    def __init__(self):
        nn.Module.__init__(self)
        self.build()

    def build(self):
        self.weight = nn.Parameter(torch.ones(1))
        self.register_buffer("weight", torch.ones(1))  # expect: TL107


class OfAnotherKind(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("layer", None)
        self.add_module("layer", nn.Linear(1, 1))  # expect: TL107


class InBranch(nn.Module):
    def __init__(self, learn: bool = True):
        super().__init__()
        self.bias = None
        if learn:
            self.register_parameter("bias", nn.Parameter(torch.ones(1)))  # expect: TL107


class Good(nn.Module):
    def __init__(self, learn: bool = True, mask=None, prior=nn.Identity()):
        super().__init__()
        self.prior = prior
        self.add_module("prior", prior)  # ok: TL107  it is a module already
        if learn:
            self.register_buffer("mask", torch.ones(1))  # ok: TL107  the other branch assigns
        else:
            self.mask = None
        if mask is None:
            self.scale = 1.0
        else:
            self.register_buffer("scale", mask)  # ok: TL107
        self.weight = None
        self.weight = nn.Parameter(torch.ones(1))  # ok: TL107  an assignment replaces
        self.register_parameter("weight", nn.Parameter(torch.zeros(1)))  # ok: TL107  the same kind again
        self.register_buffer("table", None)  # ok: TL107
        self.table = torch.ones(1)
        self.register_buffer("table", torch.zeros(1))  # ok: TL107
        self.steps = torch.ones(1)
        del self.steps
        self.register_buffer("steps", torch.ones(1))  # ok: TL107
        if not hasattr(self, "late"):
            self.register_buffer("late", torch.ones(1))  # ok: TL107

    def grow(self):
        self.extra = None
        del self.extra
        self.register_buffer("extra", torch.ones(1))  # ok: TL107

    def forward(self, x):
        return x * self.weight + self.table + self.steps


def demonstrate():
    for bad in (AfterNone, AfterNoneOfAnnotation, AfterTensor, AfterBase, OfAnotherKind, InBranch):
        assert raises(bad)
    assert not raises(Good) and not raises(lambda: Good(False, torch.ones(1)))


def raises(kind):
    try:
        kind()
    except KeyError as error:
        return "already exists" in str(error)
    return False
