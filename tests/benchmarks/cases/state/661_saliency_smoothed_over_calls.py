"""Saliency of a video is smoothed with the map of the call before, and a position table is memoised by a decorator on the method.

source: styalai/xLSTM-pytorch#2 (state carried on plain attributes), forum reports "backward through the graph a second time"
rules: [TL102, TL112]
"""
import functools

import torch
from torch import Tensor, nn


class SaliencyBase(nn.Module):
    def __init__(self, channels: int = 3, rate: float = 0.7):
        super().__init__()
        self.rate = rate
        self.conv = nn.Conv2d(channels, 1, 3, padding=1)
        self.before = None

    def forward(self, frame: Tensor) -> Tensor:
        now = self.conv(frame).sigmoid()
        out = now if self.before is None else self.rate * now + (1 - self.rate) * self.before
        self.remember(out)
        return out


class GraphKeepingSaliency(SaliencyBase):
    def remember(self, out):
        self.before = out  # expect: TL102


class StreamingSaliency(SaliencyBase):
    """The caller starts a video with reset()."""

    def remember(self, out):
        self.before = out.detach()  # ok: TL102

    def reset(self):
        self.before = None


class LoggedSaliency(SaliencyBase):
    """A number for the log, nothing that is read again."""

    def remember(self, out):
        self.last_mean = out.mean().item()  # ok: TL102


class PlacesBase(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.freq = nn.Parameter(torch.rand(dim))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table(x.shape[1])


class MemoisedPlaces(PlacesBase):
    @functools.lru_cache(maxsize=8)  # expect: TL112
    def table(self, n: int) -> Tensor:
        return torch.outer(torch.arange(n, device=self.freq.device), self.freq.detach()).sin()


class CountingPlaces(PlacesBase):
    @functools.lru_cache(maxsize=None)  # ok: TL112
    def bounds(self, n: int) -> tuple[int, ...]:
        return tuple(min(2**i, n) for i in range(4))

    def table(self, n: int) -> Tensor:
        scale = self.bounds(n)[-1]
        return torch.outer(torch.arange(n, device=self.freq.device) / scale, self.freq).sin()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    frame = torch.rand(1, 3, 4, 4)
    for cls, works in ((GraphKeepingSaliency, False), (StreamingSaliency, True), (LoggedSaliency, True)):
        m = cls()
        try:
            for _ in range(2):
                m(frame).mean().backward()
            ok = True
        except RuntimeError as exc:
            assert "second time" in str(exc), exc
            ok = False
        assert ok is works, cls

    for cls, fresh in ((MemoisedPlaces, False), (CountingPlaces, True)):
        m, x = cls(), torch.zeros(1, 3, 4)
        before = m(x).detach().clone()
        with torch.no_grad():
            m.freq.mul_(2)
        assert (not torch.equal(m(x), before)) is fresh, cls
