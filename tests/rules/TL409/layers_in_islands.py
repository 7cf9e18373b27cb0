"""A layer in an island gets what the enclosing region has lowered; a cast or a residual keeps it quiet."""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

full = partial(torch.autocast, "cpu", enabled=False)


class Parts(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.inner = nn.Linear(dim, dim)
        self.act = nn.GELU()
        self.gate = nn.Linear(dim, dim)
        self.conv = nn.Conv1d(dim, dim, 1)
        self.slope = nn.PReLU()
        self.norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU())
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(dim, dim))
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.low = nn.Linear(dim, dim, dtype=torch.bfloat16)
        self.memory = nn.GRU(dim, dim)


class Raw(Parts):
    def by_linear(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.act(self.inner(x))
            with torch.autocast("cpu", enabled=False):
                return self.gate(hidden)  # expect: TL409

    def by_convolution(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.inner(x).t()[None] * 2
            with full():
                return self.conv(hidden)  # expect: TL409

    def by_slope(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = x @ x.t()
            with full():
                return self.slope(hidden)  # expect: TL409

    def by_chain(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = F.dropout(self.mlp(x), 0.5, self.training)
            with full():
                return self.head(hidden)  # expect: TL409

    def by_function(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = F.relu(self.inner(x))
            with full():
                return F.linear(hidden, self.weight)  # expect: TL409

    def by_product(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            first, second = self.inner(x).chunk(2, dim=0)
            with full():
                return first @ self.weight + second  # expect: TL409

    def by_recurrence(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = torch.cat([self.inner(x), self.gate(x)])
            with full():
                return self.memory(hidden)[0]  # expect: TL409

    def after_region(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.inner(x)
        with full():
            return self.gate(hidden)  # expect: TL409


class Kept(Parts):
    def by_linear(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.act(self.inner(x))
            with torch.autocast("cpu", enabled=False):
                return self.gate(hidden.float())  # ok: TL409

    def cast_before(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.act(self.inner(x)).to(torch.float32)  # ok: TL401  the island honours it
            with full():
                return self.gate(hidden)  # ok: TL409

    def follows_weight(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.inner(x)
            with full():
                return self.gate(hidden.to(self.gate.weight.dtype))  # ok: TL409

    def of_input(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.inner(x)
            with full():
                return self.gate(x) + hidden  # ok: TL409  the block's own input

    def residual(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = x + self.inner(x)
            with full():
                return self.gate(hidden)  # ok: TL409  float32 plus bfloat16 is float32

    def joined(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = torch.cat([x, self.inner(x)])
            with full():
                return self.gate(hidden)  # ok: TL409  joined with float32

    def norm_only(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.inner(x)
            with full():
                return self.norm(hidden)  # ok: TL409  a norm accepts it

    def arithmetic(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.inner(x)
            with full():
                return (hidden / 0.5).softmax(-1)  # ok: TL409

    def low_layer(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.inner(x)
            with full():
                return self.low(hidden)  # ok: TL409  the layer was built in bfloat16

    def made_in_island(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            with full():
                hidden = self.inner(x)
                return self.gate(hidden)  # ok: TL409  both in the island

    def lowered_by_hand(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = F.mse_loss(self.inner(x), x, reduction="none")
            with full():
                return self.gate(loss)  # ok: TL409  a loss is float32


def _methods(kind):
    return [getattr(kind, name) for name in vars(kind) if not name.startswith("_")]


def demonstrate():
    x = torch.rand(4, 4)
    for run in _methods(Raw):
        try:
            run(Raw(), x)
            raise AssertionError(run)
        except (RuntimeError, ValueError):
            pass
    for run in _methods(Kept):
        run(Kept(), x)
