"""Sampling steps come from linspace and travel through a scheduler object into alphas[t] and gather.

source: DDIM samplers with evenly spaced steps; "tensors used as indices must be long" (edebrouwer/gru_ode_bayes#7)
rules: [TL201]
"""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Plan:
    total: int = 50
    steps: int = 6

    def spaced(self, device):
        return torch.linspace(self.total - 1, 0, self.steps, device=device)  # expect: TL201

    def spaced_ids(self, device):
        return torch.linspace(self.total - 1, 0, self.steps, device=device).round().to(torch.int64)  # ok: TL201


def extract(table, t, like):
    picked = table.gather(-1, t)  # use: TL201
    return picked.reshape(t.shape[0], *((1,) * (like.dim() - 1)))


class Diffusion(nn.Module):
    def __init__(self, net, plan: Plan):
        super().__init__()
        self.net, self.plan = net, plan
        betas = torch.linspace(1e-4, 2e-2, plan.total)  # ok: TL201
        self.register_buffer("abar", torch.cumprod(1.0 - betas, dim=0))

    def schedule(self, device):
        return self.plan.spaced(device)

    @torch.no_grad()
    def sample(self, shape):
        x = torch.randn(shape, device=self.abar.device)
        for t in self.schedule(x.device):
            ts = t.expand(shape[0])
            a = extract(self.abar, ts, x)
            x = a.sqrt() * x + (1 - a).sqrt() * self.net(x)
        return x


class DiffusionById(Diffusion):
    def schedule(self, device):
        return self.plan.spaced_ids(device)

    def noise_level(self, x):
        # the linspace of betas is data here, the index is drawn as integers
        t = torch.randint(0, self.plan.total, (x.shape[0],), device=x.device)
        return extract(self.abar, t, x)  # ok: TL201


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    net = nn.Linear(3, 3)
    try:
        Diffusion(net, Plan()).sample((2, 3))
        raise AssertionError("a floating timestep was gathered")
    except RuntimeError as err:
        assert "int64" in str(err), err
    good = DiffusionById(net, Plan())
    assert good.sample((2, 3)).shape == (2, 3)
    assert good.noise_level(torch.randn(2, 3)).shape == (2, 1)
