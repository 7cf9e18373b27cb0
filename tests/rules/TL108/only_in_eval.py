"""What eval() does and train(False) does not is left out where a parent changes the mode."""
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.temperature = 1.0

    def forward(self, x):
        return x / self.temperature


class OnlyEval(Scaled):
    def eval(self):  # expect: TL108
        self.temperature = 0.5
        return super().eval()


class ByHelper(Scaled):
    def cool(self):
        self.temperature = 0.5

    def eval(self):  # expect: TL108
        self.cool()
        return super().eval()

    def train(self, mode: bool = True):  # ok: TL108
        if mode:
            self.temperature = 1.0
        return super().train(mode)


class Both(Scaled):
    def train(self, mode: bool = True):  # ok: TL108
        self.temperature = 1.0 if mode else 0.5
        return super().train(mode)

    def eval(self):  # ok: TL108
        self.temperature = 0.5
        return super().eval()


class Recorded(Scaled):
    def eval(self):  # ok: TL108  nobody reads it
        self.last_mode = "eval"
        return super().eval()


class Forwarded(Scaled):
    def train(self, mode: bool = True):  # ok: TL108
        self.temperature = 1.0 if mode else 0.5
        return super().train(mode)

    def eval(self):  # ok: TL108
        return self.train(False)


def demonstrate():
    for kind, done in ((OnlyEval, False), (ByHelper, False), (Both, True), (Forwarded, True)):
        owner = nn.Sequential(kind()).eval()
        assert (owner[0].temperature == 0.5) is done, kind
