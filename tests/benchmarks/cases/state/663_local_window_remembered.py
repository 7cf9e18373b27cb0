"""Local attention keeps its mask; the test that decides whether it still fits looks at the window, or at the length, never at both.

source: XPU-Forces/mojo_opset#390 (review: key lacks block sizes and device), unit8co/darts#3052 (mask left on the other device)
rules: [TL104]
"""
import torch
from torch import Tensor, nn

_BY_LENGTH: dict[int, Tensor] = {}


class LocalBase(nn.Module):
    def __init__(self, dim: int = 4, window: int = 2):
        super().__init__()
        self.window = window
        self.qk = nn.Linear(dim, 2 * dim)
        self._mask = None
        self._key = None

    def build(self, n: int, device) -> Tensor:
        i = torch.arange(n, device=device)
        return (i[:, None] - i[None]).abs() > self.window

    def forward(self, x: Tensor) -> Tensor:
        q, k = self.qk(x).chunk(2, -1)
        return (q @ k.mT).masked_fill(self.mask(x), float("-inf")).softmax(-1) @ x


class WindowKeyed(LocalBase):
    def mask(self, x):
        if self._mask is None or self._key != self.window:
            self._key = self.window
            self._mask = self.build(x.shape[1], x.device)  # expect: TL104
        return self._mask


class LengthKeyed(LocalBase):
    def mask(self, x):
        n = x.shape[1]
        if self._mask is None or self._mask.shape[0] != n:
            self._mask = self.build(n, x.device)  # expect: TL104
        return self._mask


class SharedByLength(LocalBase):
    def mask(self, x):
        n = x.shape[1]
        if n not in _BY_LENGTH:
            _BY_LENGTH[n] = self.build(n, x.device)  # expect: TL104
        return _BY_LENGTH[n]


class FullyKeyed(LocalBase):
    def mask(self, x):
        key = (x.shape[1], self.window, x.device)
        if self._mask is None or self._key != key:
            self._key = key
            self._mask = self.build(x.shape[1], x.device)  # ok: TL104
        return self._mask


class FixedWindow(nn.Module):
    """The window cannot change, the mask is moved at every read: length is the whole key."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.qk = nn.Linear(dim, 2 * dim)
        self._mask = None

    def forward(self, x: Tensor) -> Tensor:
        n = x.shape[1]
        if self._mask is None or self._mask.shape[0] != n:
            self._mask = torch.ones(n, n, dtype=torch.bool).triu(1)  # ok: TL104
        q, k = self.qk(x).chunk(2, -1)
        return (q @ k.mT).masked_fill(self._mask.to(x.device), float("-inf")).softmax(-1) @ x


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 6, 4)

    def agrees(m, x):
        return torch.equal(m.mask(x), m.build(x.shape[1], x.device))

    m = WindowKeyed()
    m(x)
    try:
        m(x[:, :5])
        raise AssertionError("a mask of another length was accepted")
    except RuntimeError:
        pass
    for cls, fresh in ((LengthKeyed, False), (SharedByLength, False), (FullyKeyed, True)):
        m = cls()
        m(x)
        m.window = 4
        assert agrees(m, x) is fresh, cls
        m.to("meta")
        assert m.mask(x.to("meta")).is_meta is fresh, cls
    m = FixedWindow()
    m(x), m(x[:, :5]), m.to("meta")(x.to("meta"))
