"""The Parameter of another layer registers when it is assigned; a tensor without a gradient does not."""
import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self, other: nn.Linear, dim: int = 4):
        super().__init__()
        self.embed = nn.Embedding(8, dim)
        self.weight = self.embed.weight  # ok: TL101
        self.bias = other.bias  # ok: TL101
        self.activation = torch.tanh  # ok: TL101  a function
        self.layer = nn.Tanh()  # ok: TL101
        self.names = ["a", "b"]  # ok: TL101
        self.mask = torch.ones(dim).bernoulli()  # expect: TL101

    def forward(self, x):
        return self.layer(self.activation(x @ self.weight.t())) + (self.bias * self.mask).sum()


def demonstrate():
    module = Tied(nn.Linear(4, 4)).to("meta")
    assert module.weight.is_meta
    assert module.bias.is_meta
    assert not module.mask.is_meta
