"""Rotations of a served pose network: the guard of the normalisation is a default argument of 1e-8, which half cannot hold.

source: kornia/kornia#3966, kornia/kornia#4021 (default eps underflows to 0 in float16)
rules: [TL302]
"""
import torch
from torch import nn


def unit(q: torch.Tensor, eps: float = 1e-8) -> torch.Tensor:
    return q / q.norm(dim=-1, keepdim=True).clamp(min=eps)  # expect: TL302


def log_map(q: torch.Tensor) -> torch.Tensor:
    real, vec = q[..., :1], q[..., 1:]
    size = vec.square().sum(-1, keepdim=True).sqrt()
    return vec * real.clamp(-1, 1).acos() / (size + 1e-12)  # expect: TL302


def unit_wide(q: torch.Tensor, eps: float = 1e-8) -> torch.Tensor:
    wide = q.float()
    return (wide / wide.norm(dim=-1, keepdim=True).clamp(min=eps)).to(q.dtype)  # ok: TL302


def log_map_wide(q: torch.Tensor) -> torch.Tensor:
    tiny = torch.finfo(q.dtype).tiny
    real, vec = q[..., :1], q[..., 1:]
    size = vec.square().sum(-1, keepdim=True).sqrt()
    return vec * real.clamp(-1, 1).acos() / size.clamp(min=tiny)  # ok: TL302


def unit_coarse(q: torch.Tensor, eps: float = 1e-4) -> torch.Tensor:
    return q / q.norm(dim=-1, keepdim=True).clamp(min=eps)  # ok: TL302


class Pose(nn.Module):
    def __init__(self, unit=unit, log=log_map, dim: int = 3):
        super().__init__()
        self.fc = nn.Linear(dim, 4)
        nn.init.zeros_(self.fc.bias)
        self.unit, self.log = unit, log

    def forward(self, x):
        return self.log(self.unit(self.fc(x)))


class Tracker:
    def __init__(self, net: Pose):
        self.net = net.half().eval()

    @torch.no_grad()
    def follow(self, feats):
        return self.net(feats.half()).float()


def demonstrate():
    still = torch.zeros(1, 3)  # nothing seen: a zero quaternion
    assert Tracker(Pose()).follow(still).isnan().all()
    assert Tracker(Pose(unit_wide)).follow(still).isnan().all()  # the second guard is a fault of its own
    for unit_ in (unit_wide, unit_coarse):
        assert Tracker(Pose(unit_, log_map_wide)).follow(still).isfinite().all()
    assert Pose()(still).isfinite().all()  # float32 is fine
    assert Pose().bfloat16()(still.bfloat16()).isfinite().all()
