"""State is put past Module.__setattr__ on purpose (object.__setattr__, __dict__), and then nobody moves it.

source: vinecopulib/pyvinecopulib#264 (memo kept out of the state, dropped by _apply), tenstorrent/tt-metal#55014
rules: [TL101]
"""
import torch
from torch import nn


class Grid(nn.Module):
    def __init__(self, n: int = 4, low: float = 0.0, high: float = 1.0):
        super().__init__()
        self.n, self.low, self.high = n, low, high
        self.values = nn.Parameter(torch.randn(n))
        self.put("knots", torch.linspace(low, high, n))

    def put(self, name: str, value) -> None:
        raise NotImplementedError

    def forward(self, u):
        right = (u[:, None] > self.knots).sum(1).clamp(1, self.n - 1)
        a, b = self.knots[right - 1], self.knots[right]
        return torch.lerp(self.values[right - 1], self.values[right], (u - a) / (b - a))


class HiddenGrid(Grid):
    """Children of this kind keep every constant out of the checkpoint this way."""

    def __init__(self, n: int = 4, low: float = 0.0, high: float = 1.0):
        nn.Module.__init__(self)
        self.n, self.low, self.high = n, low, high
        self.values = nn.Parameter(torch.randn(n))
        object.__setattr__(self, "knots", torch.linspace(low, high, n))  # expect: TL101


class DictGrid(HiddenGrid):
    def __init__(self, n: int = 4, low: float = 0.0, high: float = 1.0):
        super().__init__(n, low, high)
        knots = torch.linspace(low, high, n).square()
        self.__dict__["knots"] = knots / knots[-1]  # expect: TL101


class RebuiltGrid(HiddenGrid):
    """Hidden in the same way, and made anew by every move."""

    def __init__(self, n: int = 4, low: float = 0.0, high: float = 1.0):
        super().__init__(n, low, high)
        object.__setattr__(self, "knots", torch.linspace(low, high, n))  # ok: TL101

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        object.__setattr__(self, "knots", fn(torch.linspace(self.low, self.high, self.n)))
        return self


class NonPersistentGrid(Grid):
    def put(self, name, value):
        self.register_buffer(name, value, persistent=False)  # ok: TL101


# ---- demonstration: not part of the graded code ----
def demonstrate():
    u = torch.rand(5)
    for cls, follows in ((HiddenGrid, False), (DictGrid, False), (RebuiltGrid, True), (NonPersistentGrid, True)):
        m = cls()
        assert m(u).shape == (5,) and list(m.state_dict()) == ["values"]
        assert m.double().knots.dtype == (torch.float64 if follows else torch.float32), cls
        m.to("meta")
        assert m.knots.is_meta is follows, cls
