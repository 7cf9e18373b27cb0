"""What a faulty train() does to others depends on whether nn.Module's eval() still calls it."""
import torch
from torch import nn


class Engine(nn.Module):
    def __init__(self, part: nn.Module):
        super().__init__()
        self.part = part

    def forward(self, x):
        return self.part(x)


class Bare(Engine):
    def train(self):  # expect: TL108
        super().train(True)
        return self


class BareBesideEval(Engine):
    def train(self):  # expect: TL108
        super().train(True)
        return self

    def eval(self):  # ok: TL108
        super().train(False)
        return self


class Silent(Engine):
    def train(self, mode: bool = True):  # expect: TL108
        super().train(mode)


class SilentBesideEval(Engine):
    def train(self, mode: bool = True):  # expect: TL108
        super().train(mode)

    def eval(self):  # ok: TL108
        super().train(False)
        return self


class Pinned(Engine):
    def __init__(self, part: nn.Module):
        super().__init__(part)
        self.cuda = torch.cuda.is_available()  # expect: TL108
        self.is_cuda = self.cuda  # ok: TL108


class Kept(Engine):
    def train(self, mode: bool = True):  # ok: TL108
        return super().train(mode)

    def eval(self):  # ok: TL108
        return super().eval()


def demonstrate():
    for kind, fails in ((Bare, True), (BareBesideEval, False)):
        try:
            kind(nn.Dropout()).eval()
        except TypeError:
            assert fails
        else:
            assert not fails
    assert Silent(nn.Dropout()).eval() is None
    assert isinstance(SilentBesideEval(nn.Dropout()).eval(), nn.Module)
    assert nn.Sequential(Pinned(nn.Dropout())).to("cpu") is not None
    assert Kept(nn.Dropout()).eval().training is False
