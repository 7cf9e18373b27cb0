"""Of the tensor only its shape, its dtype and Python numbers are used later."""
import torch
from torch import nn


class Filter(nn.Module):
    def __init__(self, taps: int = 4):
        super().__init__()
        prototype = torch.linspace(0, 1, taps)
        self.prototype = prototype  # ok: TL101  forward looks at its shape and dtype only
        self.size = prototype.shape  # ok: TL101
        self.kind = prototype.dtype  # ok: TL101
        self.energy = prototype.pow(2).sum().item()  # ok: TL101
        self.order = int(prototype.argmax())  # ok: TL101
        self.values = prototype.tolist()  # ok: TL101
        self.count = len(prototype)  # ok: TL101
        self.shift = prototype.cumsum(0)  # expect: TL101

    def forward(self, x):
        if self.prototype.dtype.is_floating_point and x.shape[-1] == self.prototype.shape[0]:
            x = x * self.energy + self.values[0] + self.order
        return x + self.shift


def demonstrate():
    module = Filter().double()
    assert module.prototype.dtype == module.shift.dtype == torch.float32
    module.shift = module.shift.double()
    assert module(torch.zeros(4).double()).dtype == torch.float64
