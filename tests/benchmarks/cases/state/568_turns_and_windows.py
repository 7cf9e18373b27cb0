"""A pose layer reads the generators of rotations from its file or its class; a blur keeps one kernel per size in a cache around the method.

source: flashinfer-ai/flashinfer#2702 kind (constants placed at import), cornellius-gp/gpytorch#1311 kind (memoised values); rebuilt from scratch
rules: [TL112, TL113]
"""
import functools

import torch
import torch.nn.functional as F
from torch import nn

HATS = torch.tensor(  # expect: TL113
    [[[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0], [-1, 0, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 0]]],
    dtype=torch.float32,
)
AXES = ("roll", "pitch", "yaw")  # ok: TL113


class Turn(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.fc = nn.Linear(dim, len(AXES))

    def skew(self, w):
        raise NotImplementedError

    def forward(self, x):
        return torch.linalg.matrix_exp(self.skew(self.fc(x)))


class FileTurn(Turn):
    def skew(self, w):
        return (w[..., None, None] * HATS).sum(-3)


class ClassTurn(Turn):
    plane = torch.tensor([[0.0, -1.0], [1.0, 0.0]])  # expect: TL113

    def skew(self, w):
        return w[..., 2, None, None] * self.plane


class OwnTurn(Turn):
    def __init__(self, dim: int = 4):
        super().__init__(dim)
        self.register_buffer("hats", HATS.clone(), persistent=False)

    def skew(self, w):
        return (w[..., None, None] * self.hats).sum(-3)


class WrittenTurn(Turn):
    """Numbers on the class, tensors at the call."""

    order = (1, 0, 2)  # ok: TL113

    def skew(self, w):
        a, b, c = (w[..., i] for i in self.order)
        zero = torch.zeros_like(a)
        rows = [zero, -c, b, c, zero, -a, -b, a, zero]
        return torch.stack(rows, -1).unflatten(-1, (3, 3))


class Blur(nn.Module):
    def __init__(self, spread: float = 1.0):
        super().__init__()
        self.log_spread = nn.Parameter(torch.tensor(spread).log())

    def line(self, size):
        at = torch.arange(size, device=self.log_spread.device) - (size - 1) / 2
        return torch.softmax(-0.5 * (at / self.log_spread.exp()) ** 2, 0)

    def forward(self, x, size: int = 3):
        k = self.line(size)
        kernel = (k[:, None] * k).expand(x.shape[1], 1, size, size)
        return F.conv2d(x, kernel, padding=size // 2, groups=x.shape[1])


class CachedBlur(Blur):
    @functools.lru_cache(maxsize=None)  # expect: TL112
    def line(self, size):
        return super().line(size).detach()


class SizedBlur(Blur):
    """Caches a number; the kernel is made each time."""

    @functools.lru_cache(maxsize=None)  # ok: TL112
    def radius(self, size: int) -> int:
        return size // 2

    def forward(self, x, size: int = 3):
        return super().forward(x, 2 * self.radius(size) + 1)


@functools.lru_cache(maxsize=16)  # ok: TL112
def ramp(size: int, device: torch.device, dtype: torch.dtype) -> torch.Tensor:
    return torch.linspace(-1, 1, size, device=device, dtype=dtype)


class RampBlur(Blur):
    def line(self, size):
        at = ramp(size, self.log_spread.device, self.log_spread.dtype)
        return torch.softmax(-at.square() / self.log_spread.exp(), 0)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(2, 4)
    for cls, follows in ((FileTurn, False), (ClassTurn, False), (OwnTurn, True), (WrittenTurn, True)):
        assert cls()(x).shape[0] == 2
        m = cls().to("meta")
        try:
            ok = m.skew(m.fc(x.to("meta"))).is_meta
        except RuntimeError as exc:
            assert "device" in str(exc), exc
            ok = False
        assert ok is follows, cls
    a = torch.rand(1, 3, 4, 4)
    for cls, fresh in ((CachedBlur, False), (Blur, True), (SizedBlur, True), (RampBlur, True)):
        m = cls()
        first = m(a).detach()
        with torch.no_grad():
            m.log_spread.add_(2.0)
        assert (not torch.allclose(first, m(a))) is fresh, cls
