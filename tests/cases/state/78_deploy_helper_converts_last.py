"""Deployment code freezes the model in one helper and casts it in another; the layer has cached in the freeze.

source: ultralytics/ultralytics#23780 (eval before half), idea spread over helpers and a config
rules: [TL103, TL303]
"""
from dataclasses import dataclass

import torch
from torch import nn


class GaussianKernel(nn.Module):
    def __init__(self, taps: int = 5):
        super().__init__()
        self.log_sigma = nn.Parameter(torch.zeros(()))
        self.register_buffer("offsets", torch.arange(taps).float() - taps // 2, persistent=False)

    def forward(self):
        w = torch.exp(-0.5 * (self.offsets / self.log_sigma.exp()) ** 2)
        return (w / w.sum())[None, None]


class LearnedBlur(nn.Module):
    def __init__(self):
        super().__init__()
        self.shape = GaussianKernel()
        self.frozen = None

    def train(self, mode: bool = True):
        super().train(mode)
        if mode:
            self.frozen = None
        else:
            self.frozen = self.shape().detach()  # expect: TL103
        return self

    def forward(self, x):
        k = self.shape() if self.frozen is None else self.frozen
        return nn.functional.conv1d(x, k, padding="same")


class FixedBlur(LearnedBlur):
    """No eval-time state at all."""

    def train(self, mode: bool = True):
        return nn.Module.train(self, mode)


@dataclass(frozen=True)
class DeployCfg:
    dtype: torch.dtype = torch.float16
    device: str = "cpu"


def settle(net: nn.Module) -> nn.Module:
    for p in net.parameters():
        p.requires_grad_(False)
    return net


def ship(cfg: DeployCfg) -> LearnedBlur:
    blur = LearnedBlur()
    blur.eval()
    blur = settle(blur)
    return blur.to(device=cfg.device, dtype=cfg.dtype)  # expect: TL303


def ship_cast_first(cfg: DeployCfg) -> LearnedBlur:
    blur = settle(LearnedBlur()).to(device=cfg.device, dtype=cfg.dtype)  # ok: TL303
    blur.eval()
    return blur


def ship_fixed(cfg: DeployCfg) -> FixedBlur:
    blur = settle(FixedBlur().eval())
    return blur.to(device=cfg.device, dtype=cfg.dtype)  # ok: TL303


def ship_refreshed(cfg: DeployCfg) -> LearnedBlur:
    blur = LearnedBlur().eval()
    blur.train()
    blur.to(cfg.dtype)  # ok: TL303
    return blur.eval()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    cfg, x = DeployCfg(torch.float64), torch.randn(1, 1, 9, dtype=torch.float64)
    try:
        ship(cfg)(x)
        raise AssertionError("expected a dtype clash")
    except RuntimeError:
        pass
    for f in (ship_cast_first, ship_fixed, ship_refreshed):
        assert f(cfg)(x).dtype == torch.float64
