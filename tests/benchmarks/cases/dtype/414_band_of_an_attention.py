"""Windowed attention blocks what lies outside its band with torch.where and a class-level number; served in half a closed row is NaN.

source: local-attention layers (BLOCKED = -1e9); NVIDIA/apex#1105 kind (mask values beyond half's range, here without an error)
rules: [TL302]
"""
import torch
from torch import nn


class Band(nn.Module):
    blocked = -1e9

    def __init__(self, dim, reach=1):
        super().__init__()
        self.reach, self.qk, self.v = reach, nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)

    def allowed(self, x, valid):
        at = torch.arange(x.size(1), device=x.device)
        near = (at[:, None] - at[None, :]).abs() <= self.reach
        return near & valid[:, None, :]

    def close(self, scores, allowed):
        return torch.where(allowed, scores, self.blocked)  # expect: TL302

    def forward(self, x, valid):
        q, k = self.qk(x).chunk(2, dim=-1)
        scores = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
        return self.close(scores, self.allowed(x, valid)).softmax(-1) @ self.v(x)


class BandOfType(Band):
    def close(self, scores, allowed):
        return torch.where(allowed, scores, torch.finfo(scores.dtype).min)  # ok: TL302


class BandModest(Band):
    blocked = -3e4

    def close(self, scores, allowed):
        return torch.where(allowed, scores, self.blocked)  # ok: TL302


class BandWide(Band):
    """Works in float32 between the two products."""

    def close(self, scores, allowed):
        wide = scores.float()
        return torch.where(allowed, wide, -1e9)  # ok: TL302

    def forward(self, x, valid):
        q, k = self.qk(x).chunk(2, dim=-1)
        scores = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
        return self.close(scores, self.allowed(x, valid)).softmax(-1).to(x.dtype) @ self.v(x)


def serve(x, valid, kind=Band):
    model = kind(x.size(-1)).eval().half()
    with torch.no_grad():
        return model(x.half(), valid)


def demonstrate():
    torch.manual_seed(0)
    x, valid = torch.randn(1, 5, 4), torch.tensor([[True, True, False, False, False]])
    assert torch.isfinite(Band(4)(x, valid)).all()  # float32 has room for the number
    assert serve(x, valid).isnan().any()
    for kind in (BandOfType, BandModest, BandWide):
        assert torch.isfinite(serve(x, valid, kind)).all(), kind
