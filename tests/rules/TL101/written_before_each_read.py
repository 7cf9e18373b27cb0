"""forward() writes the attribute, then calls the method that reads it: nobody reads what the constructor left there."""
import torch
from torch import nn


class Scores(nn.Module):
    """A helper writes, two others read, one of them called by the other."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.project = nn.Linear(dim, dim)
        self.query = self.key = torch.zeros(dim)  # ok: TL101  project_all() writes both before attend() reads them
        self.weights = torch.zeros(dim, dim)  # ok: TL101  forward() writes it before mix() reads it
        self.shift = torch.zeros(dim)  # expect: TL101  forward() writes it after mix() has read it

    def forward(self, x):
        self.project_all(x)
        self.weights = self.attend()
        mixed = self.mix()
        self.shift = mixed.mean(0)
        return mixed

    def project_all(self, x):
        with torch.enable_grad():
            self.query = self.project(x)
        self.key = self.project(x + 1)

    def attend(self):
        return self.scaled().softmax(-1)

    def scaled(self):
        return self.query @ self.key.T

    def mix(self):
        return self.weights @ self.query + self.shift


class Explained(nn.Module):
    """explain() is called from outside as well, before any forward()."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.last = torch.zeros(dim)  # expect: TL101

    def forward(self, x):
        self.last = x
        return self.explain()

    def explain(self):
        return self.last * 2


def explained(x):
    module = Explained()
    return module.explain() + x


class Sometimes(nn.Module):
    """What forward(), or the helper, writes under a condition may not be written; two branches leave no way out."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.seen = torch.zeros(dim)  # expect: TL101
        self.held = torch.zeros(dim)  # expect: TL101
        self.both = torch.zeros(dim)  # ok: TL101  written by the way that leads to the read

    def forward(self, x, first: bool = False):
        if first:
            self.seen = x
            self.both = x
            return self.look() + self.look_at_both()
        self.hold(x)
        return self.look() + self.held_twice()

    def hold(self, x):
        if len(x) > 4:
            return
        self.held = x

    def look(self):
        return self.seen * 2

    def look_at_both(self):
        return self.both * 2

    def held_twice(self):
        return self.held * 2


class Handed(nn.Module):
    """A method that is given away may be called before the write."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.scale = torch.ones(dim)  # expect: TL101
        self.rate = torch.ones(dim)  # ok: TL101  rated() is only called

    def reader(self):
        return self.scaled

    def scaled(self):
        return self.scale * 2

    def rated(self):
        return self.rate * 2

    def forward(self, x):
        self.scale = x
        self.rate = x + 1
        return self.scaled() + self.rated()


def demonstrate():
    x = torch.ones(4, 4, dtype=torch.float64)
    scores = Scores().double()
    scores.shift = scores.shift.double()
    first = scores(x)
    scores.query = scores.key = scores.weights = None
    scores.shift = torch.zeros(4, dtype=torch.float64)
    assert torch.equal(scores(x), first), "what lay there before was not read"
    assert Explained().double().explain().dtype is torch.float32
    sometimes = Sometimes().double()
    sometimes(torch.ones(5, 4, dtype=torch.float64))
    assert sometimes.held.dtype is torch.float32
    assert Handed().double().reader()().dtype is torch.float32
