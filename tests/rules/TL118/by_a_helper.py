"""A function that puts what it is given into eval mode, used in construction."""
from torch import nn


def freeze(part: nn.Module) -> nn.Module:
    part.eval()  # ok: TL118  the caller decides what is frozen
    return part.requires_grad_(False)


def freeze_norm(part: nn.Module) -> None:
    if isinstance(part, nn.BatchNorm1d):
        part.eval()  # ok: TL118


def shrink(part: nn.Module) -> None:
    part.requires_grad_(False)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
        self.head = nn.Linear(2, 2)
        self.start()

    def start(self):
        pass

    def forward(self, x):
        return self.head(self.body(x))


class ByFunction(Net):
    def start(self):
        freeze(self.body)  # expect: TL118


class ByApply(Net):
    def start(self):
        self.apply(freeze_norm)  # expect: TL118


class ByMethod(Net):
    def start(self):
        self.rest(self.body)

    def rest(self, part):
        for member in part.modules():
            member.eval()  # expect: TL118


class OnlyGradients(Net):
    def start(self):
        shrink(self.body)  # ok: TL118
        self.apply(shrink)  # ok: TL118


class Repeated(Net):
    def start(self):
        freeze(self.body)  # ok: TL118

    def train(self, mode: bool = True):
        super().train(mode)
        freeze(self.body)
        return self


def demonstrate():
    for kind, wakes in ((ByFunction, True), (ByApply, True), (ByMethod, True), (Repeated, False)):
        net = kind()
        assert not net.body[1].training, kind
        assert net.train().body[1].training is wakes, kind
