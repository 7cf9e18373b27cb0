"""Parameters that are scaled, moved or cast on the way into the attribute are plain tensors for the optimizer.

source: pytorch/pytorch#20089, pytorch/pytorch#17484, pytorch/pytorch#9303
rules: [TL114]
"""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import Parameter


@dataclass
class PromptCfg:
    length: int = 3
    dim: int = 4
    std: float = 0.02
    dtype: torch.dtype = torch.float64
    deep: bool = True


class Prompts(nn.Module):
    def __init__(self, cfg: PromptCfg):
        super().__init__()
        self.cfg = cfg
        self.proj = nn.Linear(cfg.dim, cfg.dim, dtype=cfg.dtype)
        self.grow(cfg)

    def grow(self, cfg) -> None:
        raise NotImplementedError

    def forward(self, x):
        p = self.proj(self.tokens + self.offset)
        return torch.cat([p.expand(len(x), -1, -1), x], 1)


class ScaledPrompts(Prompts):
    def grow(self, cfg):
        kw = dict(dtype=cfg.dtype)
        self.tokens = cfg.std * Parameter(torch.randn(cfg.length, cfg.dim, **kw))  # expect: TL114
        self.offset = Parameter(torch.zeros(cfg.dim)).to(**kw)  # expect: TL114
        self.gate = Parameter(torch.ones(1)).half()  # expect: TL114


class DataPrompts(Prompts):
    def grow(self, cfg):
        self.tokens = Parameter(torch.randn(cfg.length, cfg.dim, dtype=cfg.dtype)).data  # expect: TL114
        self.offset = Parameter(torch.zeros(cfg.dim, dtype=cfg.dtype))  # ok: TL114


class InsidePrompts(Prompts):
    def grow(self, cfg):
        kw = dict(dtype=cfg.dtype)
        self.tokens = Parameter(cfg.std * torch.randn(cfg.length, cfg.dim).to(**kw))  # ok: TL114
        self.offset = Parameter(torch.zeros(cfg.dim)).requires_grad_(cfg.deep)  # ok: TL114
        self.offset.data = self.offset.data.to(**kw)


class LaterPrompts(Prompts):
    """The module is converted as a whole; nothing is converted on assignment."""

    def grow(self, cfg):
        start = torch.empty(cfg.length, cfg.dim)
        self.tokens = Parameter(start)  # ok: TL114
        self.offset = Parameter(torch.zeros(cfg.dim))  # ok: TL114
        with torch.no_grad():
            self.tokens.normal_(std=cfg.std)
        self.to(cfg.dtype)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, names in (
        (ScaledPrompts, set()), (DataPrompts, {"offset"}), (InsidePrompts, {"tokens", "offset"}), (LaterPrompts, {"tokens", "offset"}),
    ):
        m = cls(PromptCfg())
        m(torch.zeros(2, 1, 4, dtype=torch.float64))
        assert {n for n, _ in m.named_parameters() if "proj" not in n} == names, cls
