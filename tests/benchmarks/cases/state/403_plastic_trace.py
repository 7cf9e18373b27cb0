"""Plastic recurrent cells keep a Hebbian trace between calls; the variants differ in whether the trace brings its graph along.

source: differentiable-plasticity style cells; symptom of norse/norse#130 (state of the previous call still attached)
rules: [TL102]
"""
import torch
from torch import nn


class PlasticCell(nn.Module):
    def __init__(self, n: int = 4, eta: float = 0.1):
        super().__init__()
        self.slow = nn.Parameter(torch.randn(n, n) * 0.1)
        self.alpha = nn.Parameter(torch.full((n, n), 0.1))
        self.eta = eta
        self.n = n

    def begin(self) -> torch.Tensor:
        return torch.zeros(self.n, self.n, device=self.slow.device, dtype=self.slow.dtype)

    def respond(self, x: torch.Tensor, trace: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x @ (self.slow + self.alpha * trace))

    def hebb(self, x: torch.Tensor, y: torch.Tensor, trace: torch.Tensor) -> torch.Tensor:
        return (1 - self.eta) * trace + self.eta * (x.mT @ y) / x.shape[0]


class StickyCell(PlasticCell):
    def __init__(self, n: int = 4, eta: float = 0.1):
        super().__init__(n, eta)
        self.store = {"trace": 0.0}

    def _learn(self, x, y) -> None:
        self.store["trace"] = self.hebb(x, y, self.store["trace"])  # expect: TL102

    def forward(self, x):
        y = self.respond(x, self.store["trace"])
        self._learn(x, y)
        return y


class AttachedCell(PlasticCell):
    def __init__(self, n: int = 4, eta: float = 0.1):
        super().__init__(n, eta)
        self.last = 0.0

    def forward(self, x):
        y = self.respond(x, self.last)
        self.last = self.hebb(x, y, self.last)  # expect: TL102
        return y


class BufferedCell(PlasticCell):
    def __init__(self, n: int = 4, eta: float = 0.1):
        super().__init__(n, eta)
        self.register_buffer("last", torch.zeros(n, n))

    def forward(self, x):
        y = self.respond(x, self.last)
        with torch.no_grad():
            self.last = self.hebb(x, y, self.last)  # ok: TL102
        return y


class UnrolledCell(PlasticCell):
    """The trace lives on self only within one call: it starts anew before it is read."""

    def forward(self, xs):
        self.now = self.begin()  # ok: TL102
        out = []
        for x in xs:
            out.append(self.respond(x, self.now))
            self.now = self.hebb(x, out[-1], self.now)  # ok: TL102
        return torch.stack(out)


class LoggingCell(PlasticCell):
    """Numbers for a plot."""

    def forward(self, x):
        y = self.respond(x, self.begin())
        self.gain = y.detach().abs().mean().item()  # ok: TL102
        return y


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4)
    for cls, fine in ((StickyCell, False), (AttachedCell, False), (BufferedCell, True), (UnrolledCell, True), (LoggingCell, True)):
        m = cls()
        inp = torch.stack([x, x]) if cls is UnrolledCell else x
        try:
            for _ in range(3):
                m(inp).sum().backward()
            ok = True
        except RuntimeError as exc:
            assert "second time" in str(exc), exc
            ok = False
        assert ok is fine, cls
