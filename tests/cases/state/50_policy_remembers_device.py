"""An actor keeps the device (or dtype) of its constructor for the noise it draws; the runner moves and casts it afterwards.

source: pytorch/rl#4224, pytorch/rl#4120; recipe repeated in many small RL repositories
rules: [TL119]
"""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class RunCfg:
    device: str = "cpu"
    dtype: torch.dtype = torch.float32
    obs: int = 3


class Actor(nn.Module):
    def __init__(self, cfg: RunCfg):
        super().__init__()
        self.mean = nn.Linear(cfg.obs, 2, device=cfg.device, dtype=cfg.dtype)
        self.keep(cfg)

    def keep(self, cfg: RunCfg) -> None:
        pass

    def noise(self, shape) -> torch.Tensor:
        return torch.zeros(shape, device=self.device, dtype=self.dtype)

    def forward(self, x):
        mu = self.mean(x)
        return mu + self.noise(mu.shape)


class RememberingActor(Actor):
    def keep(self, cfg):
        self.device = torch.device(cfg.device)  # expect: TL119
        self.dtype = cfg.dtype  # expect: TL119


class AskingActor(Actor):
    """Properties that look at a parameter."""

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device  # ok: TL119

    @property
    def dtype(self) -> torch.dtype:
        return self.mean.weight.dtype


class LikeActor(Actor):
    """The option is kept for reports only."""

    def keep(self, cfg):
        self.requested = f"{cfg.device}/{cfg.dtype}"  # ok: TL119

    def noise(self, shape):
        return self.mean.weight.new_zeros(shape)


class Runner:
    """Not a module: its device is the one that it sends things to."""

    def __init__(self, actor: Actor, cfg: RunCfg):
        self.device = torch.device(cfg.device)  # ok: TL119
        self.actor = actor

    def place(self, device: str, dtype: torch.dtype) -> Actor:
        self.device = torch.device(device)  # ok: TL119
        return self.actor.to(self.device).to(dtype)


def launch(cfg: RunCfg, where: str = "meta") -> RememberingActor:
    actor = RememberingActor(cfg)
    actor.to(where)
    actor.to(torch.bfloat16)
    return actor


# ---- demonstration: not part of the graded code ----
def demonstrate():
    cfg = RunCfg()
    x = torch.zeros(1, 3, device="meta", dtype=torch.bfloat16)
    for cls, follows in ((RememberingActor, False), (AskingActor, True), (LikeActor, True)):
        actor = Runner(cls(cfg), cfg).place("meta", torch.bfloat16)
        try:
            out = actor(x)
            ok = out.is_meta and out.dtype == torch.bfloat16
        except RuntimeError:
            ok = False
        assert ok is follows, cls
        assert (cls(cfg).bfloat16()(torch.zeros(1, 3).bfloat16()).dtype == torch.bfloat16) is follows
    assert launch(cfg).device.type == "cpu"
