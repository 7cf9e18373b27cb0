"""An exploring layer of a value network factorises its noise; the variant without noise buffers draws it on the default device.

source: noisy linear layers of DQN repositories (noise drawn in forward); DenOfEquity/webUI_ExtraSchedulers#3 kind
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


def squash(x):
    return x.sign() * x.abs().sqrt()


class Exploring(nn.Module):
    def __init__(self, n_in: int, n_out: int, start: float = 0.4):
        super().__init__()
        self.n_in, self.n_out = n_in, n_out
        self.mu = nn.Parameter(torch.randn(n_out, n_in) / n_in**0.5)
        self.sigma = nn.Parameter(torch.full((n_out, n_in), start / n_in**0.5))

    def noise(self, x):
        raise NotImplementedError

    def forward(self, x):
        return F.linear(x, self.mu + self.sigma * self.noise(x) if self.training else self.mu)


class FactoredExploring(Exploring):
    @staticmethod
    def column(size):
        return squash(torch.randn(size))  # expect: TL204

    def noise(self, x):
        return torch.outer(self.column(self.n_out), self.column(self.n_in))


class NormalExploring(Exploring):
    def noise(self, x):
        return torch.normal(0.0, 1.0, size=self.sigma.shape)  # expect: TL204


class BufferedExploring(Exploring):
    """The usual form: noise is kept in a buffer, and copy_ crosses devices."""

    def __init__(self, n_in, n_out, start=0.4):
        super().__init__(n_in, n_out, start)
        self.register_buffer("eps", torch.zeros(n_out, n_in))

    def resample(self):
        fresh = torch.outer(squash(torch.randn(self.n_out)), squash(torch.randn(self.n_in)))  # ok: TL204
        self.eps.copy_(fresh)

    def noise(self, x):
        self.resample()
        return self.eps.clone()


class LikeExploring(Exploring):
    def noise(self, x):
        return torch.randn_like(self.sigma)  # ok: TL204


class GivenExploring(Exploring):
    def noise(self, x):
        rows = squash(torch.randn(self.n_out, device=x.device))  # ok: TL204
        return rows.unsqueeze(1) * squash(torch.randn(self.n_in).to(x))  # ok: TL204


def demonstrate():
    for cls, works in (
        (FactoredExploring, False), (NormalExploring, False), (BufferedExploring, True), (LikeExploring, True),
        (GivenExploring, True),
    ):
        assert cls(3, 2)(torch.randn(4, 3)).shape == (4, 2)
        try:
            assert cls(3, 2).to("meta")(torch.randn(4, 3, device="meta")).is_meta
            ok = True
        except RuntimeError as err:
            assert "device" in str(err), err
            ok = False
        assert ok is works, cls
