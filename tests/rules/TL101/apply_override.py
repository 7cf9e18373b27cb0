"""_apply() is where every move of every parent passes: an override that renews the tensor handles it, to() does not."""
import torch
from torch import nn


class Response(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * self.weight + self.response


class MovedByApply(Response):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.response = torch.ones(dim)  # ok: TL101

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.response = fn(self.response)
        return self


class InheritsApply(MovedByApply):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.response = torch.zeros(dim)  # ok: TL101  the _apply of the base renews it


class MovedByTo(Response):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.response = torch.ones(dim)  # expect: TL101

    def to(self, *args, **kwargs):
        super().to(*args, **kwargs)
        self.response = self.response.to(*args, **kwargs)
        return self


class ForgottenByApply(Response):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.response = torch.ones(dim)  # expect: TL101
        self.moves = 0  # ok: TL101

    def _apply(self, fn, recurse=True):
        self.moves += 1
        return super()._apply(fn, recurse)


def demonstrate():
    for kind, follows in (
        (MovedByApply, True), (InheritsApply, True), (MovedByTo, False), (ForgottenByApply, False),
    ):
        layer = kind()
        nn.Sequential(layer).to("meta")
        assert layer.response.is_meta is follows, kind
