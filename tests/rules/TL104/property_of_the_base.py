"""A property remembers what the property of the base class computes: super().norms is the value, not the object."""
import torch
from torch import nn


class Codes(nn.Module):
    def __init__(self, count: int = 4, dim: int = 3):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(count, dim))

    @property
    def norms(self):
        return self.codes.pow(2).sum(1)

    @property
    def count(self):
        return len(self.codes)

    def forward(self, x):
        return (self.norms - 2 * x @ self.codes.mT).argmin(-1)


class Remembering(Codes):
    def __init__(self):
        super().__init__()
        self._norms = None

    @property
    def norms(self):
        if self._norms is None:
            self._norms = super().norms.detach()  # expect: TL104
        return self._norms


class Counting(Codes):
    def __init__(self):
        super().__init__()
        self._count = None

    @property
    def count(self):
        if self._count is None:
            self._count = super().count  # ok: TL104  a number
        return self._count


class Scaling(Codes):
    @property
    def norms(self):
        return 0.5 * super().norms  # ok: TL104


def demonstrate():
    x = torch.randn(8, 3)
    for make, follows in ((Remembering, False), (Scaling, True)):
        module = make()
        before = module.norms.clone()
        module(x)
        with torch.no_grad():
            module.codes.mul_(2)
        assert torch.equal(module.norms, before) is not follows
    assert Counting().count == 4
