"""The ways in which the mode reaches nn.Module, and those in which it does not."""
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.head = nn.Linear(2, 2)
        self.table = None

    def forward(self, x):
        return self.head(self.encoder(x))


class Dropped(Net):
    def train(self, mode: bool = True):  # expect: TL108
        super().train()
        self.table = None
        return self


class NeverUp(Net):
    def train(self, mode: bool = True):  # expect: TL108
        self.table = None
        return self


class OnlyOnePart(Net):
    def train(self, mode: bool = True):  # expect: TL108
        self.encoder.train(mode)
        return self

    def eval(self):  # expect: TL108
        self.encoder.train(False)
        return self


class NoMode(Net):
    def train(self):  # expect: TL108
        super().train()
        self.table = None
        return self


class AnotherModule(Net):
    def train(self, mode: bool = True):  # expect: TL108
        super().train(mode)
        return self.encoder.train(mode)


class Named(Net):
    def train(self, mode: bool = True):  # ok: TL108
        super(Named, self).train(mode)
        self.table = None
        return self


class Unbound(Net):
    def train(self, mode: bool = True):  # ok: TL108
        self.table = None
        return nn.Module.train(self, mode=mode)

    def eval(self):  # ok: TL108
        return nn.Module.eval(self)


class ByHand(Net):
    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for part in self.children():
            part.train(mode)
        return self


class ByNames(Net):
    def train(self, mode: bool = True):  # ok: TL108
        self.training = mode
        for name, part in self.named_children():
            part.train(mode and name != "encoder")
        return self


class PassedOn(Net):
    def train(self, *args, **kwargs):  # ok: TL108
        self.table = None
        return super().train(*args, **kwargs)


class ByHelper(Net):
    def _switch(self, mode):
        super().train(mode)
        self.table = None
        return self

    def train(self, mode: bool = True):  # ok: TL108
        return self._switch(mode)


class InTwo(Net):
    def train(self, mode: bool = True):  # ok: TL108
        if mode:
            super().train()
        else:
            super().eval()
        return self


def demonstrate():
    for kind in (Dropped, NeverUp, OnlyOnePart):
        assert kind().train(False).training, kind
    for kind in (Named, Unbound, ByHand, ByNames, PassedOn, ByHelper):
        module = kind()
        assert module.train(False) is module and not module.head.training, kind
        assert module.train() is module and module.head.training, kind
    assert isinstance(AnotherModule().eval(), nn.Sequential)
    try:
        NoMode().eval()
        raise AssertionError("a train() without mode should be refused by eval()")
    except TypeError:
        pass
