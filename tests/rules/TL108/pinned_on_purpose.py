"""Parts, or all, stay in eval mode whatever the mode is: that is meant."""
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.teacher(x))


class PartPinned(Net):
    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.teacher.eval()
        return self


class AlwaysEval(Net):
    def train(self, mode: bool = True):  # ok: TL108
        return super().train(False)


class Disabled(Net):
    def train(self, mode: bool = True):  # ok: TL108
        """Keeps the mode that was set before."""
        return self


class OnlyParts(Net):
    def train(self, mode: bool = True):  # ok: TL108
        self.teacher.eval()
        return self


class Demanded(Net):
    def train(self, mode: bool):  # note: TL108
        return super().train(False)


class Renamed(Net):
    def train(self, flag: bool = True):  # note: TL108
        super().train(flag)
        return self


def demonstrate():
    for kind in (PartPinned, AlwaysEval, OnlyParts):
        assert not kind().train().teacher.training, kind
    for call in (lambda: Demanded().train(), lambda: Renamed().train(mode=False)):
        try:
            call()
            raise AssertionError("the call should be refused")
        except TypeError:
            pass
