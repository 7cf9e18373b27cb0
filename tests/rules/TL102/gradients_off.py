"""Where autograd records nothing, nothing is kept: no_grad as a block, as a decorator, around the caller."""
import torch
from torch import nn


class Averaged(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.mean = torch.zeros(dim)  # expect: TL122
        self.spread = torch.ones(dim)  # expect: TL122
        self.drift = torch.zeros(dim)  # expect: TL122
        self.raw = torch.zeros(dim)
        self.live = torch.zeros(dim)

    @torch.no_grad()
    def track(self, out):
        self.spread = self.spread * 0.9 + out.var(0) * 0.1  # ok: TL102

    def shift(self, out):
        self.drift = self.drift + out.mean(0)  # ok: TL102  its only caller switches gradients off

    def forward(self, x):
        out = self.mix(x)
        with torch.no_grad():
            self.mean = self.mean * 0.9 + out.mean(0) * 0.1  # ok: TL102
            self.shift(out)
        self.track(out)
        with torch.enable_grad():
            self.live = self.live * 0.9 + out.mean(0) * 0.1  # expect: TL102
        self.raw = self.raw * 0.9 + out.mean(0) * 0.1  # expect: TL102
        return (out - self.mean - self.drift) / self.spread - self.raw - self.live


def demonstrate():
    module = Averaged()
    module(torch.randn(8, 4))
    assert not any(value.requires_grad for value in (module.mean, module.spread, module.drift))
    assert module.raw.requires_grad
