"""A root-mean-square norm was written for fp16 and keeps its .half(); the block around it now runs in a bf16 region.

source: naver/must3r#10, Parskatt/RoMa#2 kind (half by hand inside a bf16 region); blocks moved from fp16 to bf16
rules: [TL401]
"""
from contextlib import contextmanager

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


@contextmanager
def low_precision():
    with torch.autocast(KIND, dtype=torch.bfloat16):
        yield


class Block(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.lift, self.fall = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)
        self.gain = nn.Parameter(torch.ones(2 * dim))


class OldBlock(Block):
    def forward(self, x):
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            h = self.lift(x)
            size = h.half().pow(2).mean(-1, keepdim=True)  # expect: TL401
            h = h * torch.rsqrt(size + 1e-5) * self.gain
            return self.fall(h)


class WideBlock(Block):
    def forward(self, x):
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            h = self.lift(x)
            size = h.float().pow(2).mean(-1, keepdim=True)  # ok: TL401
            h = h * torch.rsqrt(size + 1e-5) * self.gain
            return self.fall(h)


class FollowingBlock(Block):
    """Follows the type of what it multiplies."""

    def forward(self, x):
        with low_precision():
            h = self.lift(x)
            size = torch.linalg.vector_norm(h, dim=-1, keepdim=True) / h.size(-1) ** 0.5
            return self.fall(h / size.to(h.dtype).clamp_min(1e-3) * self.gain.to(h.dtype))  # ok: TL401


class OutsideBlock(Block):
    """The region ends before the norm; the caller asked for half and gets it."""

    def forward(self, x):
        with low_precision():
            h = self.lift(x)
        kept = h.tanh().half()  # ok: TL401
        return self.fall(kept.float())


def demonstrate():
    torch.manual_seed(0)
    x = 500 * torch.randn(3, 4, device=KIND)
    outs = {}
    for cls in (OldBlock, WideBlock, FollowingBlock, OutsideBlock):
        torch.manual_seed(1)
        outs[cls] = cls().to(KIND)(x).float()
        assert torch.isfinite(outs[cls]).all()
    old = OldBlock().to(KIND)
    assert torch.equal(old(100 * x), old.fall.bias.to(torch.bfloat16).expand(3, -1))  # infinite size: the signal is gone
    assert not torch.allclose(outs[WideBlock], outs[OldBlock], atol=1e-2)
    assert torch.allclose(outs[WideBlock], outs[FollowingBlock], atol=5e-2)
