"""A number stands in the settings and meets a tensor of the caller's dtype elsewhere."""

from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Settings:
    dim: int = 4
    floor: float = field(default=torch.finfo(torch.float32).min)
    masked: float = -1e9
    modest: float = -1e4
    limit: float = field(default=1e5)


class Other:
    limit = 10.0


class Scores(nn.Module):
    away = -1e9

    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.layer = nn.Linear(cfg.dim, cfg.dim)

    def fenced(self, keep, like):
        return (1.0 - keep.to(like.dtype)) * self.cfg.floor  # expect: TL302

    def fenced_by_fill(self, x, keep):
        return self.layer(x).masked_fill(~keep, self.cfg.masked)  # expect: TL302

    def fenced_by_own(self, keep, like):
        return (1.0 - keep.to(like.dtype)) * self.away  # expect: TL302

    def fenced_by_type(self, keep, like):
        return (1.0 - keep.to(like.dtype)) * torch.finfo(like.dtype).min  # ok: TL302

    def fenced_modestly(self, keep, like):
        return (1.0 - keep.to(like.dtype)) * self.cfg.modest  # ok: TL302

    def bounded(self, x):
        return x.to(x.dtype) * self.cfg.limit  # ok: TL302  two classes have such a field

    def sized(self):
        return 3 * self.cfg.masked  # ok: TL302


def halved(x, keep):
    scores = Scores(Settings()).half()
    return scores.fenced(keep, x)


def demonstrate():
    keep = torch.tensor([True, False])
    like = torch.zeros(2, dtype=torch.float16)
    scores = Scores(Settings())
    assert scores.fenced(keep, like).isinf().any() and scores.fenced_by_own(keep, like).isinf().any()
    assert scores.fenced_by_type(keep, like).isfinite().all() and scores.fenced_modestly(keep, like).isfinite().all()
