"""An additive attention mask takes its floor from a settings object that was written for float32; served in half a padded row is NaN.

source: facebookresearch/fairseq#3575, NVIDIA/apex#93; encoders with `(1 - mask) * min` masks
rules: [TL302]
"""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Settings:
    dim: int = 8
    floor: float = field(default=torch.finfo(torch.float32).min)
    tiny: float = 1e-9


class Pooling(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.score = nn.Linear(cfg.dim, 1)

    def fence(self, keep, like):
        return (1.0 - keep.to(like.dtype)) * self.cfg.floor  # expect: TL302

    def forward(self, x, keep):
        weight = (self.score(x).squeeze(-1) + self.fence(keep, x)).softmax(-1)
        return torch.einsum("bn,bnd->bd", weight, x)


class MeanPooling(Pooling):
    """Divides by the number of kept rows; the guard is too small for half."""

    def forward(self, x, keep):
        part = keep.to(x.dtype).unsqueeze(-1)
        return (x * part).sum(1) / (part.sum(1) + self.cfg.tiny)  # expect: TL302


class PoolingByType(Pooling):
    def fence(self, keep, like):
        return (1.0 - keep.to(like.dtype)) * torch.finfo(like.dtype).min  # ok: TL302


class PoolingModest(Pooling):
    def fence(self, keep, like):
        return (1.0 - keep.to(like.dtype)) * -1e4  # ok: TL302


class MeanPoolingCounted(Pooling):
    def forward(self, x, keep):
        part = keep.to(x.dtype).unsqueeze(-1)
        return (x * part).sum(1) / part.sum(1).clamp(min=1)  # ok: TL302


def deploy(kind):
    return kind(Settings()).half().eval()


@torch.inference_mode()
def embed(kind, x, keep):
    return deploy(kind)(x.half(), keep)


def demonstrate():
    torch.manual_seed(0)
    x, keep = torch.randn(2, 3, 8), torch.tensor([[True, True, False], [False, False, False]])
    for kind, fine in (
        (Pooling, False), (MeanPooling, False), (PoolingByType, True), (PoolingModest, True), (MeanPoolingCounted, True),
    ):
        assert embed(kind, x, keep).isfinite().all().item() is fine, kind
    assert Pooling(Settings())(x, keep).isfinite().all(), "in float32 nothing is wrong"
