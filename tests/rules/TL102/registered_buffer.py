"""An assignment to a registered buffer is state of the module, here or in a base."""
import torch
from torch import nn


class Tracked(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.register_buffer("center", torch.zeros(dim))
        self.plain = torch.zeros(dim)

    def forward(self, x):
        out = self.mix(x)
        center = self.center
        self.center = 0.9 * center + 0.1 * out.mean(0).detach()  # ok: TL102
        plain = self.plain
        self.plain = 0.9 * plain + 0.1 * out.mean(0)  # expect: TL102
        return out - center - plain


class FromBase(Tracked):
    def forward(self, x):
        out = self.mix(x) - self.center
        self.center = out.mean(0)  # ok: TL102  the base has registered the name
        return out


def demonstrate():
    module = Tracked()
    module(torch.ones(2, 4))
    module.to("meta")
    assert module.center.is_meta
    assert not module.plain.is_meta
