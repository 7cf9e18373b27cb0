"""A key of identity notices nothing; a key of _version notices writes and loads, and no conversion."""
import torch
import torch.nn.functional as F
from torch import nn


def snap(weight: torch.Tensor) -> torch.Tensor:
    return torch.round(weight * 4) / 4


class Snapped(nn.Linear):
    def __init__(self, n_in: int, n_out: int):
        super().__init__(n_in, n_out)
        self.snapped = None
        self.seen = None

    def forward(self, x):
        return F.linear(x, snap(self.weight) if self.training or self.snapped is None else self.snapped, self.bias)


class KeyedById(Snapped):
    def train(self, mode: bool = True):
        super().train(mode)
        if not mode and self.seen != id(self.weight):
            self.seen = id(self.weight)
            self.snapped = snap(self.weight.detach())  # expect: TL103
        return self


class KeyedByObject(Snapped):
    def train(self, mode: bool = True):
        super().train(mode)
        if not mode and (self.seen is None or self.seen[0] is not self.weight):
            self.seen = (self.weight,)
            self.snapped = snap(self.weight.detach())  # expect: TL103
        return self


class LazyKeyedById(Snapped):
    def forward(self, x):
        if not self.training and self.seen != id(self.weight):
            self.seen = id(self.weight)
            self.snapped = snap(self.weight.detach())
        return super().forward(x)

    def train(self, mode: bool = True):  # expect: TL103
        self.weight.requires_grad_(mode)
        return super().train(mode)


class KeyedByVersion(Snapped):
    def forward(self, x):
        if not self.training and self.seen != self.weight._version:
            self.seen = self.weight._version
            self.snapped = snap(self.weight.detach())
        return super().forward(x)

    def train(self, mode: bool = True):  # expect: TL103
        self.weight.requires_grad_(mode)
        return super().train(mode)


class KeyedAndDropped(KeyedByVersion):
    def _apply(self, fn, recurse=True):
        self.seen = self.snapped = None
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):  # ok: TL103
        self.seen = self.snapped = None
        return super().train(mode)


class KeyOfTheInput(Snapped):
    def train(self, mode: bool = True):  # ok: TL103  nothing made of a weight is kept
        self.seen = None
        return super().train(mode)

    def forward(self, x):
        self.seen = id(x)  # ok: TL103
        return super().forward(x)


def outcome(kind: type[Snapped], change: str) -> bool:
    layer = kind(4, 3)
    net = nn.Sequential(layer).eval()
    x = torch.ones(1, 4)
    net(x)
    if change == "load":
        net.load_state_dict({name: value + 1 for name, value in net.state_dict().items()})
        net.eval()
    else:
        net.double()
        x = x.double()
    try:
        return torch.allclose(net(x), F.linear(x, snap(layer.weight), layer.bias))
    except RuntimeError:
        return False


def demonstrate():
    for kind, load, convert in (
        (KeyedById, False, False), (KeyedByObject, False, False),
        (LazyKeyedById, False, False), (KeyedByVersion, True, False),
        (KeyedAndDropped, True, True), (KeyOfTheInput, True, True),
    ):
        assert outcome(kind, "load") is load, kind
        assert outcome(kind, "convert") is convert, kind
