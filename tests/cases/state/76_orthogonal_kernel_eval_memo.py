"""Layers with a re-parametrised weight compute the effective kernel once per eval phase; which events drop it differs.

source: locuslab/orthogonal-convolutions (eval-time cache of the Cayley transform), lightweight rewrites of it
rules: [TL103]
"""
import torch
import torch.nn.functional as F
from torch import nn


def cayley(w: torch.Tensor) -> torch.Tensor:
    skew = w - w.mT
    eye = torch.eye(w.shape[-1], dtype=w.dtype, device=w.device)
    return torch.linalg.solve(eye + skew, eye - skew)


class Rotation(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(dim, dim) * 0.1)
        self.shift = nn.Parameter(torch.zeros(dim))
        self.memo = {}

    def kernel(self):
        if self.training:
            return cayley(self.raw)
        if "q" not in self.memo:
            with torch.no_grad():
                self.memo["q"] = cayley(self.raw)  # use: TL103, TL104
        return self.memo["q"]

    def forward(self, x):
        return F.linear(x, self.kernel(), self.shift)


class HalfForgetful(Rotation):
    """Emptied whenever the mode is set, which misses a checkpoint loaded during evaluation and a conversion."""

    def train(self, mode: bool = True):  # expect: TL103
        self.memo.clear()
        return super().train(mode)


class ApplyOnly(Rotation):
    """Conversions are handled, loads are not."""

    def _apply(self, fn, recurse=True):
        self.memo.clear()
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):  # expect: TL103
        self.memo.clear()
        return super().train(mode)


class Forgetful(Rotation):
    def __init__(self, dim: int):
        super().__init__(dim)
        self.register_load_state_dict_post_hook(self._after_load)

    @staticmethod
    def _after_load(module, _keys):
        module.memo.clear()

    def _apply(self, fn, recurse=True):
        self.memo.clear()
        return super()._apply(fn, recurse)

    def train(self, mode: bool = True):  # ok: TL103, TL108
        self.memo.clear()
        return super().train(mode)


class Plain(Rotation):
    """No memo is ever filled; train() merely counts."""

    def kernel(self):
        return cayley(self.raw)

    def train(self, mode: bool = True):  # ok: TL103
        self.memo["switches"] = self.memo.get("switches", 0) + 1
        return super().train(mode)


# ---- demonstration: not part of the graded code ----
def _right(m, x):
    layer = m[0]
    try:
        return torch.allclose(m(x), F.linear(x, cayley(layer.raw), layer.shift), atol=1e-5)
    except RuntimeError as exc:
        assert "dtype" in str(exc), exc
        return False


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 4)
    for cls, load, move in (
        (HalfForgetful, False, False), (ApplyOnly, False, True), (Forgetful, True, True), (Plain, True, True),
    ):
        m = nn.Sequential(cls(4)).eval()
        assert _right(m, x)
        m.load_state_dict(nn.Sequential(cls(4)).state_dict())
        assert _right(m, x) is load, (cls, "load")
        m = nn.Sequential(cls(4)).eval()
        m(x)
        assert _right(m.double(), x.double()) is move, (cls, "double")
