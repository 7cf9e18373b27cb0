"""A frozen Parameter never takes a step: what is saved beside it stays true, what is not saved goes stale."""

import torch
from torch import nn


class Frozen(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim), requires_grad=False)
        self.register_buffer("saved", self.weight.abs())  # ok: TL106  the checkpoint brings both
        self.register_buffer("dropped", self.weight.abs(), persistent=False)  # expect: TL106

    def forward(self, x):
        return x * self.saved + self.dropped


class FrozenLayer(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.layer.requires_grad_(False)
        self.register_buffer("saved", self.layer.weight.abs())  # ok: TL106

    def forward(self, x):
        return self.layer(x) * self.saved.sum()


def demonstrate():
    trained, loaded = Frozen(3), Frozen(3)
    loaded.load_state_dict(trained.state_dict())
    assert torch.equal(loaded.saved, loaded.weight.abs())
    assert not torch.equal(loaded.dropped, loaded.weight.abs())
    FrozenLayer(3)(torch.ones(2, 3))
