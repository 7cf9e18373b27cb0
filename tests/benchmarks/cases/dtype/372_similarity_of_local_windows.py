"""A structural similarity score widens its images before it convolves with a window; the trainer calls it inside the region.

source: SSIM losses under autocast (negative variances); naver/must3r#10 kind (helpers that cast under a region)
rules: [TL403]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Ssim:
    """Not a Module: a score with a window."""

    def __init__(self, size=3):
        self.size = size

    def local(self, t):
        window = torch.full((1, 1, self.size, self.size), self.size**-2.0, device=t.device)
        return F.conv2d(t.float(), window)  # expect: TL403

    def spread(self, t):
        return self.local(t.square()) - self.local(t).square()

    def __call__(self, a, b):
        both = self.local(a * b) - self.local(a) * self.local(b)
        return (2 * both + 1e-4) / (self.spread(a) + self.spread(b) + 1e-4)


class PooledSsim(Ssim):
    """A box window is a pooling, which keeps the type of its input."""

    def local(self, t):
        return F.avg_pool2d(t.float(), self.size, stride=1)  # ok: TL403


class IslandSsim(Ssim):
    def local(self, t):
        with torch.autocast(t.device.type, enabled=False):
            window = torch.full((1, 1, self.size, self.size), self.size**-2.0, device=t.device)
            return F.conv2d(t.float(), window)  # ok: TL403


class Report:
    """Called on the kept images after the region."""

    def local(self, t):
        window = t.new_full((1, 1, 3, 3), 1 / 9)
        return F.conv2d(t.float(), window.float())  # ok: TL403


class Trainer:
    def __init__(self, score, **kwargs):
        self.net, self.score = nn.Conv2d(1, 1, 1).to(KIND), score(**kwargs)
        self.report = Report()

    def loss(self, x, y):
        with torch.amp.autocast(device_type=KIND, dtype=torch.bfloat16):
            out = self.net(x)
            close = self.score(out, y)
        return 1 - close.mean(), self.report.local(out)


def demonstrate():
    torch.manual_seed(0)
    flat = torch.full((1, 1, 8, 8), 10.0, device=KIND) + 0.01 * torch.randn(1, 1, 8, 8, device=KIND)
    with torch.autocast(KIND, dtype=torch.bfloat16):
        assert Ssim().local(flat).dtype is torch.bfloat16 and Ssim().spread(flat).abs().max() > 0.05  # noise of rounding
        for cls in (PooledSsim, IslandSsim):
            assert cls().local(flat).dtype is torch.float32 and cls().spread(flat).abs().max() < 0.05, cls
    for cls in (Ssim, PooledSsim, IslandSsim):
        assert torch.isfinite(Trainer(cls, size=3).loss(flat, flat)[0])
