"""The override stands in a plain class that is mixed into a Module."""
from torch import nn


class Resetting:
    def train(self, mode: bool = True):  # expect: TL108
        super().train(mode)
        self.calls = 0


class Keeping:
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.calls = 0
        return self


class Forgetful(Resetting, nn.Module):
    def forward(self, x):
        return x


class Careful(Keeping, nn.Module):
    def forward(self, x):
        return x


def demonstrate():
    assert Forgetful().eval() is None
    module = Careful()
    assert module.eval() is module
