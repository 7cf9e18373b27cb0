"""What a layer gave in construction belongs to the weights of that moment, unless the layer has none."""

import torch
from torch import nn


class Relative(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2, dim), nn.ReLU())
        self.pool = nn.AvgPool1d(2)
        self.projection = nn.Linear(dim, dim)
        self.register_buffer("bias", self.mlp(torch.ones(1, 2)), persistent=False)  # expect: TL106
        self.turned = self.projection.weight.detach().t()  # expect: TL106
        self.register_buffer("pooled", self.pool(torch.ones(1, 2 * dim)))  # ok: TL106  pooling has no weights
        self.register_buffer("mask", torch.ones(self.projection.out_features))  # ok: TL106  a number of the layer
        self.register_buffer("same", torch.zeros_like(self.projection.bias))  # ok: TL106  only its form

    def forward(self, x):
        return (x + self.bias + self.pooled + self.same) @ self.turned * self.mask


def demonstrate():
    module = Relative(4)
    module(torch.ones(2, 4))
    with torch.no_grad():
        module.mlp[0].weight.add_(1)
    assert not torch.equal(module.bias, module.mlp(torch.ones(1, 2)))
