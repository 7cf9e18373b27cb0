"""Training kept entirely in half: Adam's default eps rounds to zero, and a running count in half stops at 2048.

source: none in particular; the usual answer to "NaN after the first Adam step in half"
rules: [TL302]
"""
import torch
import torch.nn.functional as F
from torch import nn


class TokenMeter(nn.Module):
    """Mean loss per token; travels with the model through .half()."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(()))
        self.register_buffer("count", torch.zeros(()))

    @torch.no_grad()
    def update(self, losses):
        for value in losses:
            self.total.add_(value)
            self.count += 1  # expect: TL302
        return self.total / self.count


class TokenMeterFixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros((), dtype=torch.float32))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def update(self, losses):
        self.total.add_(losses.float().sum())
        self.count += losses.numel()  # ok: TL302
        return self.total / self.count


def build():
    return nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4, eps=1e-5), nn.Linear(4, 1))  # ok: TL302


def train(x, y, steps=2):
    model = build().half()
    meter = TokenMeter().half()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)  # expect: TL302
    for _ in range(steps):
        loss = F.mse_loss(model(x.half()), y.half())
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(loss.detach().reshape(1))
    return model


def train_fixed(x, y, steps=2):
    model = build().half()
    meter = TokenMeterFixed()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-4)  # ok: TL302
    for _ in range(steps):
        loss = F.mse_loss(model(x.half()), y.half())
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(loss.detach().reshape(1))
    return model


def train_sgd(x, y):
    model = build().half()
    opt = torch.optim.SGD(model.parameters(), lr=1e-3)  # ok: TL302
    F.mse_loss(model(x.half()), y.half()).backward()
    opt.step()
    return model


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    x[:, 0] = 0.0  # a feature that never fires: its gradient is exactly zero, and 0 / (0 + eps) is NaN
    assert train(x, y)[0].weight.isnan().any()
    assert torch.isfinite(train_fixed(x, y)[0].weight).all()
    assert torch.isfinite(train_sgd(x, y)[0].weight).all()
    meter, fixed, losses = TokenMeter().half(), TokenMeterFixed(), torch.full((3000,), 0.01, dtype=torch.float16)
    meter.update(losses)
    fixed.update(losses)
    assert meter.count.item() == 2048 and fixed.count.item() == 3000
