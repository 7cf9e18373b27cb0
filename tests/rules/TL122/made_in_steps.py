"""A new value is made in several stores: the later ones are made of the first, not of what the last call left."""

import torch
import torch.nn.functional as F
from torch import nn


class Partial(nn.Conv2d):
    """A cache by size begins as nothing, and its key with it."""

    def __init__(self):
        super().__init__(1, 1, 3, padding=1, bias=False)
        self.register_buffer("window", torch.ones(1, 1, 3, 3))
        self.size = None  # ok: TL122
        self.share = None  # ok: TL122
        self.seen = None  # ok: TL122

    def forward(self, x, mask=None):
        if mask is not None or self.size != tuple(x.shape):
            self.size = tuple(x.shape)
            with torch.no_grad():
                inside = torch.ones(1, 1, *x.shape[2:]).to(x) if mask is None else mask
                self.seen = F.conv2d(inside, self.window, padding=1)  # expect: TL104
                self.share = 9 / (self.seen + 1e-8)  # expect: TL104
                self.seen = torch.clamp(self.seen, 0, 1)
                self.share = torch.mul(self.share, self.seen)
        return super().forward(x) * self.share * self.seen


class Mean(nn.Module):
    """The first store is made of the old value, so the second is as well."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(1), persistent=False)  # expect: TL122

    def forward(self, x):
        if self.training:
            self.mean = self.mean + x.detach().mean()
            self.mean = self.mean * 0.5
        return x - self.mean


class Range(nn.Module):
    """Each call begins with its own data."""

    def __init__(self):
        super().__init__()
        self.register_buffer("low", torch.zeros(1), persistent=False)  # ok: TL122

    def forward(self, x):
        self.low = x.detach().amin()
        self.low = torch.clamp(self.low, max=0.0)
        return x - self.low


def demonstrate():
    x = torch.rand(1, 1, 4, 4)
    for kind, is_kept in ((Partial, True), (Mean, False), (Range, True)):
        run, resumed = kind(), kind()
        for _ in range(2):
            run(x)
        resumed.load_state_dict(run.state_dict())
        assert torch.equal(run.eval()(x), resumed.eval()(x)) is is_kept


if __name__ == "__main__":
    demonstrate()
