"""Nearest-code search keeps the squared lengths of the codes from the first call; the codes are learned.

source: k-nearest and codebook search with precomputed norms; kind of meta-pytorch/botorch#1471; rebuilt from scratch
rules: [TL104]
"""
import torch
from torch import nn


class CodeSearch(nn.Module):
    def __init__(self, codes: int = 6, dim: int = 3):
        super().__init__()
        self.table = nn.Embedding(codes, dim)

    @property
    def squares(self) -> torch.Tensor:
        return self.table.weight.pow(2).sum(1)

    def forward(self, x):
        d = self.squares - 2 * x @ self.table.weight.mT
        return d.argmin(-1)


class RememberedSquares(CodeSearch):
    def __init__(self, codes: int = 6, dim: int = 3):
        super().__init__(codes, dim)
        self._sq = None

    @property
    def squares(self):
        if self._sq is None:
            with torch.no_grad():
                self._sq = super().squares  # expect: TL104
        return self._sq


class SizedSquares(CodeSearch):
    """Rebuilt when codes are added and when the table moves, not when a code moves."""

    known: tuple = ()

    @property
    def squares(self):
        w = self.table.weight
        key = (len(w), w.device, w.dtype)
        if not self.known or self.known[0] != key:
            self.known = (key, w.detach().square().sum(1))  # expect: TL104
        return self.known[1]


class CallSquares(CodeSearch):
    """Computed once per call and shared by the chunks of that call."""

    chunk = 2

    def forward(self, x):
        sq, w = self.squares, self.table.weight
        return torch.cat([(sq - 2 * part @ w.mT).argmin(-1) for part in x.split(self.chunk)])


class FrozenSquares(CodeSearch):
    """The codes are a constant buffer in this variant and so are their lengths, from the start."""

    def __init__(self, codes: int = 6, dim: int = 3):
        nn.Module.__init__(self)
        pts = torch.randn(codes, dim)
        self.register_buffer("pts", pts)
        self.register_buffer("lengths", pts.pow(2).sum(1))  # ok: TL106

    def forward(self, x):
        return (self.lengths - 2 * x @ self.pts.mT).argmin(-1)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(40, 3)
    for cls, right in ((RememberedSquares, False), (SizedSquares, False), (CallSquares, True)):
        m = cls()
        m(x)
        opt = torch.optim.SGD(m.parameters(), lr=1.0)
        m.table.weight.grad = torch.randn(6, 3) * 3
        opt.step()
        want = torch.cdist(x, m.table.weight).argmin(-1)
        assert torch.equal(m(x), want) is right, cls
    a, b = FrozenSquares(), FrozenSquares()
    b.load_state_dict(a.state_dict())
    assert torch.equal(a(x), b(x))
