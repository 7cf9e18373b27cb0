"""A diffusion schedule computed in numpy is spread over the module with setattr; the sibling routes the same dict through register_buffer.

source: CompVis/latent-diffusion (register_schedule idiom), lucidrains/denoising-diffusion-pytorch (schedule as buffers)
rules: [TL101]
"""
from functools import partial

import numpy as np
import torch
from torch import nn


def noise_tables(steps: int, lo: float = 1e-4, hi: float = 2e-2) -> dict[str, np.ndarray]:
    betas = np.linspace(lo**0.5, hi**0.5, steps) ** 2
    keep = np.cumprod(1.0 - betas)
    return {"signal": np.sqrt(keep), "noise": np.sqrt(1.0 - keep)}


def pick(table: torch.Tensor, t: torch.Tensor, ndim: int) -> torch.Tensor:
    return table[t].reshape(-1, *([1] * (ndim - 1)))


class Diffuser(nn.Module):
    def __init__(self, net: nn.Module, steps: int = 20):
        super().__init__()
        self.net = net
        self.steps = steps
        self.install(noise_tables(steps))

    def install(self, tables: dict) -> None:
        raise NotImplementedError

    def corrupt(self, x, t, eps):
        return pick(self.signal, t, x.ndim) * x + pick(self.noise, t, x.ndim) * eps

    def forward(self, x, t):
        return self.net(self.corrupt(x, t, torch.ones_like(x)))


class LooseDiffuser(Diffuser):
    def install(self, tables):
        as_f32 = partial(torch.tensor, dtype=torch.float32)
        for key, value in tables.items():
            setattr(self, key, as_f32(value))  # expect: TL101
        self.last_noise = float(tables["noise"][-1])  # ok: TL101


class BufferedDiffuser(Diffuser):
    def install(self, tables):
        as_f32 = partial(torch.tensor, dtype=torch.float32)
        keep = partial(self.register_buffer, persistent=False)
        for key, value in tables.items():
            keep(key, as_f32(value))  # ok: TL101, TL107


class NumberDiffuser(Diffuser):
    """Lists of floats only; the tensor is made where the input is known."""

    def install(self, tables):
        for key, value in tables.items():
            setattr(self, key + "_list", torch.as_tensor(value).tolist())  # ok: TL101

    def corrupt(self, x, t, eps):
        s, n = (pick(x.new_tensor(v), t, x.ndim) for v in (self.signal_list, self.noise_list))
        return s * x + n * eps


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x, t = torch.randn(2, 3), torch.tensor([1, 7])
    for cls, follows in ((LooseDiffuser, False), (BufferedDiffuser, True), (NumberDiffuser, True)):
        m = cls(nn.Linear(3, 3)).double()
        try:
            ok = m.corrupt(x.half(), t, x.half()).dtype in (torch.float64,) if cls is not NumberDiffuser else True
        except RuntimeError:
            ok = False
        assert ok is follows, cls
        m = cls(nn.Linear(3, 3)).to("meta")
        try:
            if cls is NumberDiffuser:
                continue
            ok = m(x.to("meta"), t.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is follows, cls
