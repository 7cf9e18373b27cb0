"""A flag says whether the cache may be used: to raise it is to drop the cache."""
import torch
from torch import nn


class Flagged(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.table = None
        self.is_stale = True

    def forward(self, x):
        if self.training:
            return x * self.weight.exp()
        if self.is_stale:
            self.table = self.weight.exp().detach()  # expect: TL104
            self.is_stale = False
        return x * self.table


class RaisedByTrain(Flagged):
    def train(self, mode: bool = True):  # expect: TL103
        self.is_stale = True
        return super().train(mode)


class RaisedByAll(Flagged):
    def train(self, mode: bool = True):  # ok: TL103
        self.is_stale = True
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self.is_stale = True
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.is_stale = True
        super()._load_from_state_dict(*args, **kwargs)


class FlagWithoutCache(Flagged):
    def forward(self, x):
        self.is_stale = False
        return x * self.weight.exp()

    def train(self, mode: bool = True):  # ok: TL103
        self.is_stale = True
        return super().train(mode)


def demonstrate():
    for kind, right in ((RaisedByTrain, False), (RaisedByAll, True), (FlagWithoutCache, True)):
        module = kind().eval()
        module(torch.ones(3))
        module.load_state_dict({"weight": torch.zeros(3)})
        assert torch.equal(module(torch.ones(3)), torch.ones(3)) is right, kind
