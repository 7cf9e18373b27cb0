"""A layer's output leaves the forward pass as integers only: nothing ever trains the layer."""
import torch
from torch import nn
from torch.nn import functional as F


class Durations(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.head = nn.Linear(dim, 1)

    def raw(self, h):
        return F.softplus(self.head(h)).squeeze(-1) + 1

    def forward(self, h):
        spans = self.raw(h)
        spans = spans.round().int()  # expect: TL305
        return torch.repeat_interleave(h, spans, dim=0), spans


class BothWays(Durations):
    def forward(self, h):
        spans = self.raw(h)
        return torch.repeat_interleave(h, spans.round().int(), dim=0), spans  # ok: TL305


class Cut(Durations):
    def forward(self, h):
        spans = self.raw(h)
        repeats = spans.detach().round().int()  # ok: TL305  it says so itself
        return torch.repeat_interleave(h, repeats, dim=0), spans


class OutsideOfTraining(Durations):
    def forward(self, h):
        spans = self.raw(h)
        if not self.training:
            return spans.round().int()  # ok: TL305
        return spans


class Positions(nn.Module):
    """The input is no layer's output."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.table = nn.Embedding(8, dim)

    def forward(self, at):
        at = at.round().long()  # ok: TL305
        return self.table(at), at


PIXEL = torch.int64


def snap(points, kind=PIXEL):
    return points.to(kind)  # expect: TL305


def widen(points, kind=torch.float64):
    return points.to(kind)  # ok: TL305


class Keypoints(nn.Module):
    geometry = staticmethod(snap)

    def __init__(self, dim: int = 3):
        super().__init__()
        self.place, self.gate = nn.Linear(dim, 2), nn.Linear(dim, 2)

    def forward(self, x):
        return {"at": self.geometry(self.place(x).sigmoid() * 8), "seen": self.gate(x)}


class WideKeypoints(Keypoints):
    geometry = staticmethod(widen)


def demonstrate():
    assert not Keypoints()(torch.ones(2, 3))["at"].requires_grad
    assert WideKeypoints()(torch.ones(2, 3))["at"].requires_grad
    h = torch.randn(4, 3)
    for kind, learns in ((Durations, False), (BothWays, True), (Cut, True), (OutsideOfTraining, True)):
        found = kind()(h)
        spans = found[1] if isinstance(found, tuple) else found
        assert spans.requires_grad is learns, kind
    Positions()(torch.ones(2))
