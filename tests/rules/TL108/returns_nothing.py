"""train() and eval() return the module: a missing return makes `model.eval()` None."""
import torch
from torch import nn


class Cached(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.calls = 0

    def forward(self, x):
        return self.mix(x)


class Forgotten(Cached):
    def train(self, mode: bool = True):  # expect: TL108
        super().train(mode)
        self.calls = 0


class OnOnePath(Cached):
    def train(self, mode: bool = True):  # expect: TL108
        super().train(mode)
        if not mode:
            return
        self.calls = 0
        return self


class FallsOff(Cached):
    def train(self, mode: bool = True):  # expect: TL108
        super().train(mode)
        if mode:
            return self
        self.calls = 0


class EvalForgotten(Cached):
    def eval(self):  # expect: TL108
        super().eval()


class ByHelper(Cached):
    def _switch(self, mode):
        super().train(mode)
        self.calls = 0

    def train(self, mode: bool = True):  # expect: TL108
        return self._switch(mode)


class Returned(Cached):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.calls = 0
        return self


class OnBothPaths(Cached):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        if mode:
            self.calls = 0
            return self
        else:
            return self


class ByLocal(Cached):
    def train(self, mode: bool = True):  # ok: TL108
        out = super().train(mode)
        self.calls = 0
        return out

    def eval(self):  # ok: TL108
        return self.train(False)


class AtTheEnd(Cached):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        if mode:
            self.calls = 0
        return self


class BelowTheFault(Forgotten):
    """The base is at fault."""

    def train(self, mode: bool = True):  # ok: TL108
        self.calls = 1
        return super().train(mode)


class Refused(Cached):
    def train(self, mode: bool = True):  # ok: TL108  it never returns
        raise NotImplementedError(f"{self.calls} calls")


def demonstrate():
    for kind in (Forgotten, OnOnePath, FallsOff, EvalForgotten, ByHelper):
        assert kind().eval() is None, kind
    for kind in (Returned, OnBothPaths, ByLocal, AtTheEnd):
        module = kind()
        assert module.eval() is module and module.train() is module, kind
