"""super().train(mode) returns the object: what is put on the result is put on the object."""
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(dim))
        self.folded = None

    def fold(self):
        return self.weight.exp().detach()

    def forward(self, x):
        return x @ (self.weight.exp() if self.folded is None else self.folded)


class OnTheResult(Base):
    def train(self, mode: bool = True):
        module = super().train(mode)
        module.folded = None if mode else module.fold()  # expect: TL103
        return module


class OnlyAFlag(Base):
    def train(self, mode: bool = True):
        module = super().train(mode)
        module.is_fast = not mode  # ok: TL103
        return module


class FoldedAnew(Base):
    def train(self, mode: bool = True):
        module = super().train(mode)
        module.folded = None if mode else module.fold()  # ok: TL103
        return module

    def _apply(self, fn, recurse=True):
        return super()._apply(fn, recurse).train(self.training)

    def _load_from_state_dict(self, *args, **kwargs):
        super()._load_from_state_dict(*args, **kwargs)
        self.train(self.training)


def demonstrate():
    for make, follows in ((OnTheResult, False), (OnlyAFlag, True), (FoldedAnew, True)):
        module = make().eval()
        module.load_state_dict({"weight": torch.zeros(3, 3)})
        assert torch.equal(module(torch.eye(3)), torch.ones(3, 3)) is follows, make
