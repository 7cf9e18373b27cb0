"""A flow layer keeps weight, inverse and log-determinant in a small cache object while it is in eval mode; train() empties it.

source: mj-will/nessai#167 (cache not reset when a checkpoint is loaded)
rules: [TL103]
"""
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class SolvedOnce:
    w: Optional[torch.Tensor] = None
    inv: Optional[torch.Tensor] = None

    def empty(self) -> None:
        self.w = self.inv = None


class FlowLinear(nn.Module):
    def __init__(self, n: int = 3, reuse: bool = True):
        super().__init__()
        self.n, self.reuse = n, reuse
        self.lower = nn.Parameter(torch.randn(n, n) * 0.1)
        self.upper = nn.Parameter(torch.randn(n, n) * 0.1)
        self.log_diag = nn.Parameter(torch.zeros(n))

    def build(self) -> torch.Tensor:
        eye = torch.eye(self.n, device=self.lower.device, dtype=self.lower.dtype)
        return (self.lower.tril(-1) + eye) @ (self.upper.triu(1) + self.log_diag.exp().diag())

    def tensors(self) -> tuple[torch.Tensor, torch.Tensor]:
        w = self.build()
        return w, torch.linalg.inv(w)

    def forward(self, x):
        return F.linear(x, self.tensors()[0]), self.log_diag.sum().expand(x.shape[0])

    def inverse(self, y):
        return F.linear(y, self.tensors()[1])


class ReusingFlow(FlowLinear):
    def __init__(self, n: int = 3, reuse: bool = True):
        super().__init__(n, reuse)
        self._solved = SolvedOnce()

    def train(self, mode: bool = True):  # expect: TL103
        if mode:
            self._solved.empty()
        return super().train(mode)

    def tensors(self):
        if self.training or not self.reuse:
            return super().tensors()
        hit = self._solved
        if hit.w is None:
            hit.w, hit.inv = super().tensors()
        return hit.w, hit.inv


class DroppingFlow(ReusingFlow):
    """The two other events empty the cache too."""

    def train(self, mode: bool = True):  # ok: TL103, TL108
        self._solved.empty()
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self._solved.empty()
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self._solved.empty()
        super()._load_from_state_dict(*args, **kwargs)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(4, 3)
    for cls, right in ((ReusingFlow, False), (DroppingFlow, True), (FlowLinear, True)):
        m, other = nn.Sequential(cls()).eval(), nn.Sequential(cls())
        m(x)
        m.load_state_dict(other.state_dict())
        assert torch.allclose(m[0].inverse(m(x)[0]), x, atol=1e-4)
        assert torch.allclose(m(x)[0], other(x)[0]) is right, cls
        try:
            ok = m.double()(x.double())[0].dtype == torch.float64
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is right, cls
