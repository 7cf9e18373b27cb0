"""A helper's device is "cuda" unless its caller says otherwise; the module that calls it says nothing."""

import torch
from torch import nn


def ramp(count, rates, device="cuda"):
    steps = torch.arange(count, device=device, dtype=torch.float32)  # expect: TL207
    return torch.outer(steps, rates)


def ramp_there(count, rates, device="cuda"):
    steps = torch.arange(count, device=device, dtype=torch.float32)  # ok: TL207  its caller gives the device
    return torch.outer(steps, rates)


def warm(module, device="cuda"):
    return module.to(device)(torch.zeros(1, 2, device=device))  # ok: TL207  a tool for who has the device


class Angles(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("rates", torch.rand(width))

    def forward(self, x):
        return x * ramp(x.size(0), self.rates).cos()


class AnglesThere(Angles):
    def forward(self, x):
        return x * ramp_there(x.size(0), self.rates, device=x.device).cos()
