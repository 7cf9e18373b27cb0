"""cached_property keeps the answer of the first call; a mode change that drops one of two forgets the other."""
from functools import cached_property

import torch
from torch import nn


class Memo(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    @cached_property  # expect: TL112
    def table(self):
        return self.weight.exp().detach()

    @property
    def fresh(self):
        return self.weight.exp()

    def forward(self, x):
        return x * self.table + self.fresh


class DroppedOnTrain(Memo):
    def train(self, mode: bool = True):  # expect: TL103
        self.__dict__.pop("table", None)
        return super().train(mode)


class DroppedEverywhere(Memo):
    def forget(self):
        self.__dict__.pop("table", None)

    def train(self, mode: bool = True):  # ok: TL103
        self.forget()
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.forget()
        super()._load_from_state_dict(*args, **kwargs)


class DropsOne(Memo):
    """Of its two memos it drops one and forgets the other."""

    @cached_property  # expect: TL112
    def inverse(self):
        return (-self.weight).exp().detach()

    def forward(self, x):
        return x * self.table * self.inverse

    def forget(self):
        self.__dict__.pop("table", None)

    def train(self, mode: bool = True):  # expect: TL103
        self.forget()
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self.forget()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.forget()
        super()._load_from_state_dict(*args, **kwargs)


class Unrelated(Memo):
    def train(self, mode: bool = True):  # ok: TL103  it has to do with no cache
        self.weight.requires_grad_(mode)
        return super().train(mode)


def demonstrate():
    for kind, right in ((DroppedOnTrain, False), (DroppedEverywhere, True)):
        module = kind().eval()
        module(torch.ones(4))
        module.load_state_dict({"weight": torch.zeros(4)})
        assert torch.equal(module.table, torch.ones(4)) is right, kind
    module = DropsOne().eval()
    module(torch.ones(4))
    module.load_state_dict({"weight": torch.zeros(4)})
    assert not torch.equal(module.inverse, torch.ones(4))
