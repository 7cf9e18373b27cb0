"""A base class calls a step of its own that only subclasses write; what runs it in a region is some calls away."""

import torch
from torch import nn


class Criterion(nn.Module):
    def forward(self, a, b):
        found = self.compared(a, b)
        return found.square().sum() + self.weighed(found)

    def compared(self, a, b):
        raise NotImplementedError

    def weighed(self, found):
        return found.mean()

    def reported(self, found):
        raise NotImplementedError


class Cast(Criterion):
    def compared(self, a, b):
        return a.float().t() @ b.float()  # expect: TL403

    def reported(self, found):
        return found.float() @ found.float().t()  # ok: TL403  no forward pass runs it


class Apart(Criterion):
    @torch.autocast("cpu", enabled=False)
    def compared(self, a, b):
        return a.float().t() @ b.float()  # ok: TL403  an island

    def weighed(self, found):
        return (found.float() ** 2).mean()  # ok: TL403  no product


class Twins(nn.Module):
    def __init__(self, criterion: Criterion):
        super().__init__()
        self.body, self.criterion = nn.Linear(3, 3), criterion

    def forward(self, x):
        return self.criterion(self.body(x), self.body(-x))


class Product(nn.Module):
    """Has a step of the same name, which no region reaches."""

    def compared(self, a, b):
        return a.float().t() @ b.float()  # ok: TL403


def step(model: Twins, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return model(x)


def demonstrate():
    x = torch.randn(4, 3)
    for criterion in (Cast(), Apart()):
        assert step(Twins(criterion), x).isfinite()
