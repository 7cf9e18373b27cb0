"""A diffusion schedule is worked out in numpy and looked up by step; the noised image is float64 and the network refuses it.

source: ports of guided-diffusion that drop the cast in the extract helper ("Input type (double) and bias type (float)")
rules: [TL203]
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Schedule:
    def __init__(self, steps):
        beta = np.linspace(1e-4, 2e-2, steps)
        keep = np.cumprod(1.0 - beta)
        self.signal = np.sqrt(keep)
        self.noise = np.sqrt(1.0 - keep)


def pick(table, t, ndim):
    found = torch.from_numpy(table).to(t.device)[t]  # expect: TL203
    return found.view(-1, *[1] * (ndim - 1))


def pick_single(table, t, ndim):
    found = torch.from_numpy(table).to(t.device)[t].float()  # ok: TL203
    return found.view(-1, *[1] * (ndim - 1))


class Denoiser(nn.Module):
    look_up = staticmethod(pick)

    def __init__(self, steps=20):
        super().__init__()
        self.table, self.steps = Schedule(steps), steps
        self.net = nn.Conv2d(1, 1, 3, padding=1)

    def corrupt(self, x0, t, eps):
        get = self.look_up
        return get(self.table.signal, t, x0.dim()) * x0 + get(self.table.noise, t, x0.dim()) * eps

    def forward(self, x0):
        t = torch.randint(0, self.steps, (len(x0),), device=x0.device)
        eps = torch.randn_like(x0)
        return F.mse_loss(self.net(self.corrupt(x0, t, eps)), eps)


class DenoiserSingle(Denoiser):
    look_up = staticmethod(pick_single)


def snr_report(table):
    ratio = torch.from_numpy(table.signal**2 / table.noise**2)  # ok: TL203
    return [round(v, 3) for v in ratio.tolist()]


def demonstrate():
    x0 = torch.randn(2, 1, 4, 4)
    try:
        Denoiser()(x0)
        raise AssertionError("a double image entered a float32 convolution")
    except RuntimeError as err:
        assert "double" in str(err).lower(), err
    assert DenoiserSingle()(x0).dtype is torch.float32
    assert len(snr_report(Schedule(5))) == 5
