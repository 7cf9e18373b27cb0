"""An optimal transport layer keeps its uniform marginals (or its cost grid) from the first call; the test looks at sizes alone.

source: unit8co/darts#3052 kind (prepared on one device, used on another); Sinkhorn layers, rebuilt from scratch
rules: [TL104]
"""
import torch
from torch import nn


class Sinkhorn(nn.Module):
    def __init__(self, rounds: int = 3, eps: float = 0.5):
        super().__init__()
        self.rounds, self.eps = rounds, eps
        self.cost = nn.Bilinear(2, 2, 1, bias=False)
        self.log_mu = None
        self.book = {}

    def marginal(self, c):
        raise NotImplementedError

    def forward(self, a, b):
        n, m = len(a), len(b)
        pairs = a.unsqueeze(1).expand(n, m, 2), b.unsqueeze(0).expand(n, m, 2)
        k = -self.cost(pairs[0].contiguous(), pairs[1].contiguous()).squeeze(-1) / self.eps
        mu, g = self.marginal(k), 0.0
        for _ in range(self.rounds):
            f = mu - torch.logsumexp(k + g, dim=1)
            g = mu.logsumexp(0) - torch.logsumexp(k + f.unsqueeze(1), dim=0)
        return (k + f.unsqueeze(1) + g).exp()


class SizedSinkhorn(Sinkhorn):
    def marginal(self, c):
        if self.log_mu is None or self.log_mu.shape[0] != c.shape[0]:
            n = c.shape[0]
            self.log_mu = torch.full((n,), 1.0 / n, device=c.device, dtype=c.dtype).log()  # expect: TL104
        return self.log_mu


class BookSinkhorn(Sinkhorn):
    """One entry per size in a dict; the type of the entries is that of the first caller."""

    def marginal(self, c):
        n = c.shape[0]
        if n not in self.book:
            self.book[n] = c.new_full((n,), 1.0 / n).log()  # expect: TL104
        return self.book[n]


class KeyedSinkhorn(Sinkhorn):
    def marginal(self, c):
        key = (c.shape[0], c.device, c.dtype)
        if key not in self.book:
            self.book[key] = c.new_full((c.shape[0],), 1.0 / c.shape[0]).log()  # ok: TL104, TL102
        return self.book[key]


class ComparedSinkhorn(Sinkhorn):
    def marginal(self, c):
        old = self.log_mu
        if old is None or old.shape[0] != c.shape[0] or old.device != c.device or old.dtype != c.dtype:
            self.log_mu = c.new_full((c.shape[0],), 1.0 / c.shape[0]).log()  # ok: TL104, TL102
        return self.log_mu


class ConvertedSinkhorn(Sinkhorn):
    def marginal(self, c):
        n = c.shape[0]
        if self.log_mu is None or self.log_mu.shape[0] != n:
            self.log_mu = torch.full((n,), 1.0 / n).log()  # ok: TL104, TL102
        return self.log_mu.to(c)


class FreshSinkhorn(Sinkhorn):
    """Nothing is kept, except a number."""

    def marginal(self, c):
        if self.log_mu is None:
            self.log_mu = 0.0  # ok: TL104
        return c.new_full((c.shape[0],), 1.0 / c.shape[0]).log() + self.log_mu


# ---- demonstration: not part of the graded code ----
def demonstrate():
    a, b = torch.randn(3, 2), torch.randn(4, 2)
    for cls, right in (
        (SizedSinkhorn, False), (BookSinkhorn, False), (KeyedSinkhorn, True), (ComparedSinkhorn, True),
        (ConvertedSinkhorn, True), (FreshSinkhorn, True),
    ):
        m = cls()
        assert m(a, b).shape == (3, 4)
        m.to("meta")
        try:
            ok = m(a.to("meta"), b.to("meta")).is_meta
        except RuntimeError as exc:
            assert "device" in str(exc), exc
            ok = False
        assert ok is right, cls
