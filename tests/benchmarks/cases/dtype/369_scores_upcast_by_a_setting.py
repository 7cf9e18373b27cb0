"""An attention has an "upcast" setting: queries and keys become float32 in a generator expression, and einsum takes them back to bf16.

source: huggingface/diffusers#13920 kind (a cast before a contraction is ignored); upcast_attention settings of diffusion blocks
rules: [TL401]
"""
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


@dataclass
class Settings:
    dim: int = 8
    upcast: bool = True
    low: torch.dtype = torch.bfloat16


class Attend(nn.Module):
    def __init__(self, cfg: Settings):
        super().__init__()
        self.cfg = cfg
        self.region = partial(torch.autocast, KIND, dtype=cfg.low)
        self.qkv = nn.Linear(cfg.dim, 3 * cfg.dim)

    def forward(self, x):
        with self.region():
            q, k, v = self.qkv(x).chunk(3, -1)
            if self.cfg.upcast:
                q, k = (t.float() for t in (q, k))  # expect: TL401
            scores = torch.einsum("bid,bjd->bij", q * self.cfg.dim**-0.5, k)
            return scores, torch.einsum("bij,bjd->bid", scores.softmax(-1), v)


class AttendIsland(Attend):
    def forward(self, x):
        with self.region():
            q, k, v = self.qkv(x).chunk(3, -1)
            with self.region(enabled=False):
                q, k = (t.float() for t in (q, k))  # ok: TL401
                scores = torch.einsum("bid,bjd->bij", q * self.cfg.dim**-0.5, k)
            return scores, torch.einsum("bij,bjd->bid", scores.softmax(-1), v)


class AttendSpelled(Attend):
    """A product and a sum instead of a contraction: autocast leaves both alone."""

    def forward(self, x):
        with self.region():
            q, k, v = self.qkv(x).chunk(3, -1)
            q, k = (t.float() for t in (q, k))  # ok: TL401
            scores = (q.unsqueeze(2) * k.unsqueeze(1)).sum(-1) * self.cfg.dim**-0.5
            return scores, torch.einsum("bij,bjd->bid", scores.softmax(-1), v)


def best_rotation(region, src, dst):
    """Kabsch: double stays double, autocast casts float32 only."""
    with region:
        u, _, v = torch.linalg.svd(src.double().transpose(-1, -2) @ dst.double())  # ok: TL401
    return u, v


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 8, device=KIND)
    base = Attend(Settings()).to(KIND)
    assert base(x)[0].dtype is torch.bfloat16  # as if nobody had cast
    for cls in (AttendIsland, AttendSpelled):
        net = cls(Settings()).to(KIND)
        net.load_state_dict(base.state_dict())
        assert net(x)[0].dtype is torch.float32
    assert best_rotation(base.region(), x, x)[0].dtype is torch.float64
