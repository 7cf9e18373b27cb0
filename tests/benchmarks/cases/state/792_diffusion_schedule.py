"""Noise schedule built at import, loss weights on the class and a remembered device: a denoiser that cannot be moved.

source: small diffusion training scripts; pytorch/rl#4224 (remembered device); classes written from scratch
rules: [TL113, TL119]
"""
import math

import torch
from torch import nn

STEPS = 20
NOISE_RANGE = (1e-4, 0.2)  # ok: TL113
ALPHA_BAR = torch.cumprod(1.0 - torch.linspace(*NOISE_RANGE, STEPS), 0)  # expect: TL113
LOG_FLOOR = math.log(torch.finfo(torch.float32).tiny)  # ok: TL113


def mlp(dim: int, width: int = 8) -> nn.Sequential:
    return nn.Sequential(nn.Linear(dim + 1, width), nn.SiLU(), nn.Linear(width, dim))


class ScriptDenoiser(nn.Module):
    loss_weight = torch.linspace(1.0, 0.2, STEPS)  # expect: TL113

    def __init__(self, dim: int = 2, device: str = "cpu"):
        super().__init__()
        self.dim = dim
        self.device = device  # expect: TL119
        self.net = mlp(dim)

    def predict(self, x, step: int):
        clock = torch.full((x.shape[0], 1), step / STEPS, device=self.device, dtype=x.dtype)
        return self.net(torch.cat([x, clock], 1))

    def training_loss(self, x, step: int):
        noise = torch.randn_like(x)
        keep = ALPHA_BAR[step : step + 1]
        noisy = keep.sqrt() * x + (1 - keep).sqrt() * noise
        return (self.loss_weight[step : step + 1] * (self.predict(noisy, step) - noise).square()).mean()


class MovableDenoiser(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.dim = dim
        self.net = mlp(dim)
        self.register_buffer("alpha_bar", torch.cumprod(1.0 - torch.linspace(*NOISE_RANGE, STEPS), 0), persistent=False)

    @property
    def device(self) -> torch.device:  # ok: TL119
        return self.alpha_bar.device

    def predict(self, x, step: int):
        clock = torch.full((x.shape[0], 1), step / STEPS, device=self.device, dtype=x.dtype)
        return self.net(torch.cat([x, clock], 1))

    def training_loss(self, x, step: int):
        noise = torch.randn_like(x)
        keep = self.alpha_bar[step : step + 1]
        noisy = keep.sqrt() * x + (1 - keep).sqrt() * noise
        return (self.predict(noisy, step) - noise).square().mean()


class Run:
    """The job's options: no module, and the place where a device belongs."""

    def __init__(self, device: str):
        self.device = device  # ok: TL119
        self.step = 0

    def build_script(self) -> ScriptDenoiser:
        model = ScriptDenoiser()
        return model.to(self.device)

    def build_movable(self) -> MovableDenoiser:
        return MovableDenoiser().to(self.device)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(4, 2)
    bad, good = ScriptDenoiser(), MovableDenoiser()
    assert torch.isfinite(bad.training_loss(x, 3)) and torch.isfinite(good.training_loss(x, 3))
    run = Run("meta")
    bad, good, mx = run.build_script(), run.build_movable(), x.to("meta")
    assert bad.device == "cpu" and bad.loss_weight.device.type == "cpu" and good.device.type == "meta"
    for fails in (lambda: bad.predict(mx, 3), lambda: ALPHA_BAR[3:4] * mx, lambda: bad.loss_weight[3:4] * mx):
        try:
            fails()
            raise AssertionError("expected a device clash")
        except RuntimeError:
            pass
    assert good.training_loss(mx, 3).is_meta
    assert math.exp(LOG_FLOOR) < 1e-30
