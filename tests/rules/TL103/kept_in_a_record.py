"""The cache is a small object of its own on the module: a store into it is one into what the module holds."""
import torch
from torch import nn


class Kept:
    def __init__(self):
        self.weight = None
        self.uses = 0

    def drop(self):
        self.weight = None

    def show(self):
        return repr(self.weight)


class Layer(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.kept = Kept()

    def product(self):
        if self.training:
            return self.weight.exp()
        if self.kept.weight is None:
            self.kept.weight = self.weight.exp().detach()
        return self.kept.weight

    def forward(self, x):
        return x @ self.product()


class Dropping(Layer):
    def train(self, mode: bool = True):  # expect: TL103
        self.kept.drop()
        return super().train(mode)


class Forgetful(Layer):
    """show() drops nothing."""

    def train(self, mode: bool = True):  # expect: TL103
        self.kept.show()
        return super().train(mode)


class DroppingAlways(Layer):
    def train(self, mode: bool = True):  # ok: TL103
        self.kept.drop()
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self.kept.drop()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.kept.weight = None
        super()._load_from_state_dict(*args, **kwargs)


class Counting(Layer):
    """Only a number is kept."""

    def product(self):
        if not self.training:
            self.kept.uses = self.kept.uses + 1
        return self.weight.exp()

    def train(self, mode: bool = True):  # ok: TL103
        self.kept.drop()
        return super().train(mode)


def demonstrate():
    for make, follows in ((Dropping, False), (Forgetful, False), (DroppingAlways, True), (Counting, True)):
        module = make().eval()
        module(torch.eye(3))
        module.load_state_dict({"weight": torch.zeros(3, 3)})
        assert torch.equal(module(torch.eye(3)), torch.ones(3, 3)) is follows, make
