"""Values and methods under the names of nn.Module's own methods."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


class Flag(Net):
    def __init__(self, train: bool = False):
        super().__init__()
        self.train = train  # expect: TL108


class Listed(Net):
    def __init__(self):
        super().__init__()
        self.children = []  # expect: TL108
        self.kind = "listed"  # ok: TL108
        self.type = "listed"  # ok: TL108  nobody calls Module.type()


class OfClass(Net):
    half = True  # expect: TL108
    full = True  # ok: TL108


class Computed(Net):
    @property
    def parameters(self):  # expect: TL108
        return [self.fc.weight]

    @property
    def weights(self):  # ok: TL108
        return [self.fc.weight]


class Halving(Net):
    def half(self, x):  # expect: TL108
        return x / 2

    def halve(self, x):  # ok: TL108
        return x / 2


class Placed(Net):
    def to(self, *args, **kwargs):  # ok: TL108
        return super().to(*args, **kwargs)

    def half(self):  # ok: TL108
        return super().half()

    def apply(self, fn):  # ok: TL108
        return super().apply(fn)

    def cuda(self, device=None):  # ok: TL108
        return super().cuda(device)


class Replaced(Net):
    def __init__(self):
        super().__init__()
        self.train = lambda mode=True: self  # ok: TL108  a callable, on purpose


class Bare(Net):
    def state_dict(self):  # expect: TL108
        return {name: value for name, value in super().state_dict().items() if "bias" not in name}


class Complete(Net):
    def state_dict(self, *args, **kwargs):  # ok: TL108
        return super().state_dict(*args, **kwargs)


class Spelled(Net):
    def state_dict(self, destination=None, prefix="", keep_vars=False):  # ok: TL108
        return super().state_dict(destination=destination, prefix=prefix, keep_vars=keep_vars)


class Settings:
    """No Module."""

    half = True  # ok: TL108

    def __init__(self, train: bool = False):
        self.train = train  # ok: TL108


def demonstrate():
    calls = (
        lambda: nn.Sequential(Flag()).eval(),
        lambda: Listed().eval(),
        lambda: OfClass().half(),
        lambda: torch.optim.SGD(Computed().parameters(), lr=0.1),
        lambda: Halving().half(),
        lambda: nn.Sequential(Bare()).state_dict(),
    )
    for call in calls:
        try:
            call()
            raise AssertionError("the call should fail")
        except TypeError:
            pass
    for kind in (Placed, Complete, Spelled):
        assert nn.Sequential(kind()).half().state_dict()["0.fc.bias"].dtype == torch.float16
