"""Spectral normalisation from scratch: sigma is computed with the stored vectors and the vectors are then improved in place.

source: pytorch/pytorch#62293 ("Do not modify saved variables in-place for spectral norm"), older GAN code
rules: [TL121]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Spectral(nn.Module):
    def __init__(self, layer: nn.Linear):
        super().__init__()
        self.layer = layer
        rows, cols = layer.weight.shape
        self.register_buffer("u", F.normalize(torch.randn(rows), dim=0))
        self.register_buffer("v", F.normalize(torch.randn(cols), dim=0))

    def improved(self, w):
        v = F.normalize(w.mT @ self.u, dim=0)
        return F.normalize(w @ v, dim=0), v

    def refresh(self, w) -> None:
        raise NotImplementedError

    def forward(self, x):
        w = self.layer.weight
        sigma = torch.dot(self.u, w @ self.v)
        self.refresh(w.detach())
        return F.linear(x, w / sigma, self.layer.bias)


class InPlaceSpectral(Spectral):
    @torch.no_grad()
    def refresh(self, w):
        u, v = self.improved(w)
        self.u.copy_(u)  # expect: TL121
        self.v.copy_(v)  # expect: TL121


class ReboundSpectral(Spectral):
    @torch.no_grad()
    def refresh(self, w):
        self.u, self.v = self.improved(w)  # ok: TL121


class EarlySpectral(InPlaceSpectral):
    """The vectors are improved before they are read, and copies of them go into the graph."""

    def forward(self, x):
        w = self.layer.weight
        with torch.no_grad():
            u, v = self.improved(w)
            self.u.copy_(u)  # ok: TL121
            self.v.copy_(v)  # ok: TL121
        return F.linear(x, w / torch.dot(u, w @ v), self.layer.bias)


class Meter(nn.Module):
    """Reads and writes a counter that no gradient passes."""

    def __init__(self, body: nn.Module):
        super().__init__()
        self.body = body
        self.register_buffer("peak", torch.zeros(()))

    def forward(self, x):
        y = self.body(x)
        with torch.no_grad():
            self.peak.copy_(torch.maximum(self.peak, y.abs().amax()))  # ok: TL121
        return y


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, works in ((InPlaceSpectral, False), (ReboundSpectral, True), (EarlySpectral, True)):
        net = Meter(cls(nn.Linear(3, 2)))
        try:
            net(torch.randn(4, 3)).sum().backward()
            ok = True
        except RuntimeError as exc:
            assert "inplace" in str(exc)
            ok = False
        assert ok is works, cls
        assert net.peak > 0
