"""Differentiable heat solver: stencils made at import or in the class body, and an absorbing layer behind lru_cache.

source: written from scratch
rules: [TL112, TL113]
"""
from functools import lru_cache

import torch
import torch.nn as nn
import torch.nn.functional as F

FIVE_POINT = torch.tensor([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]])  # expect: TL113
FIVE_POINT_ROWS = ((0.0, 1.0, 0.0), (1.0, -4.0, 1.0), (0.0, 1.0, 0.0))  # ok: TL113
HOT_SPOT = torch.eye(8)  # ok: TL113  (an initial state for trying things out)


@lru_cache(maxsize=16)  # ok: TL112
def edge_profile(n: int, depth: int, device: torch.device, dtype: torch.dtype) -> torch.Tensor:
    dist = torch.arange(n, device=device, dtype=dtype)
    return torch.minimum(dist, n - 1 - dist).clamp(max=depth) / depth


class HeatStep(nn.Module):
    def __init__(self, depth: int = 2, dt: float = 0.1):
        super().__init__()
        self.depth, self.dt = depth, dt
        self.log_kappa = nn.Parameter(torch.zeros(1))

    @lru_cache(maxsize=None)  # ok: TL112
    def steps_for(self, duration: float) -> int:
        return max(1, round(duration / self.dt))


class ImportedStencilStep(HeatStep):
    slope = torch.tensor([[-0.5, 0.0, 0.5]])  # expect: TL113

    @lru_cache(maxsize=None)  # expect: TL112
    def sponge(self, height: int, width: int) -> torch.Tensor:
        like = self.log_kappa
        rows = edge_profile(height, self.depth, like.device, like.dtype)
        cols = edge_profile(width, self.depth, like.device, like.dtype)
        return rows[:, None] * cols[None, :]

    def drift(self, u: torch.Tensor) -> torch.Tensor:
        return F.conv2d(u, self.slope[None, None], padding=(0, 1))

    def forward(self, u: torch.Tensor) -> torch.Tensor:
        lap = F.conv2d(u, FIVE_POINT[None, None], padding=1)
        du = self.log_kappa.exp() * lap - self.drift(u)
        return u + self.dt * self.sponge(*u.shape[-2:]) * du


class BufferedStencilStep(HeatStep):
    def __init__(self, depth: int = 2, dt: float = 0.1):
        super().__init__(depth, dt)
        self.register_buffer("stencil", torch.tensor([[FIVE_POINT_ROWS]]), persistent=False)
        self.register_buffer("slope", torch.tensor([[[[-0.5, 0.0, 0.5]]]]), persistent=False)

    def sponge(self, u: torch.Tensor) -> torch.Tensor:
        height, width = u.shape[-2:]
        rows = edge_profile(height, self.depth, u.device, u.dtype)
        return rows[:, None] * edge_profile(width, self.depth, u.device, u.dtype)[None, :]

    def forward(self, u):
        du = self.log_kappa.exp() * F.conv2d(u, self.stencil, padding=1) - F.conv2d(u, self.slope, padding=(0, 1))
        return u + self.dt * self.sponge(u) * du


# ---- demonstration: not part of the graded code ----
def demonstrate():
    u = HOT_SPOT[None, None]
    bad, good = ImportedStencilStep(), BufferedStencilStep()
    assert torch.allclose(bad(u), good(u)) and bad.steps_for(1.0) == 10
    bad.double(), good.double()
    assert bad.sponge(8, 8).dtype == torch.float32, "the memo of the method is older than the conversion"
    assert good.sponge(u.double()).dtype == torch.float64
    for part in (lambda: bad(u.double()), lambda: bad.drift(u.double())):
        try:
            part()
            raise AssertionError("expected a float32 stencil to clash with a float64 field")
        except RuntimeError:
            pass
    assert good(u.double()).dtype == torch.float64
    import gc, weakref

    ref = weakref.ref(bad)
    del bad
    gc.collect()
    assert ref() is not None, "lru_cache on the method keeps the instance alive"
