"""A network that is made by its name, or given, and halved: any class of the file may run in it."""

import torch
from torch import nn


class Kernel(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.spread = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return (x * x / (self.spread.square() + 1e-10)).sum(-1)  # expect: TL302

    def in_range(self, x):
        return (x * x / (self.spread.square() + 1e-5)).sum(-1)  # ok: TL302


class FitLoss(nn.Module):
    def forward(self, x):
        return (x + 1e-10).log().mean()  # ok: TL302  it gets what the network has computed


def by_name(name):
    return globals()[name]()


def serve(name, precision="float16"):
    found = by_name(name)
    found = found.to(getattr(torch, precision))
    found.eval()
    return found


def demonstrate():
    kernel = serve("Kernel")
    with torch.no_grad():
        kernel.spread.zero_()
    zero = torch.zeros(1, 4).half()
    assert kernel(zero).isnan().all() and kernel.in_range(zero).isfinite().all()
    FitLoss()(zero.float())
