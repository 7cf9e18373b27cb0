"""A view follows updates until a conversion gives the Parameter new memory; the Parameter itself is always right."""

import torch
from torch import nn


class Views(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.turned = self.weight.t()  # expect: TL106
        self.first = self.weight[0]  # expect: TL106
        self.values = self.weight.data  # expect: TL106

    def forward(self, x):
        return x @ self.turned + self.first + x @ self.values


class Shared(nn.Module):
    def __init__(self, vocabulary: int, dim: int):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim)
        self.head = nn.Linear(dim, vocabulary, bias=False)
        self.head.weight = self.embedding.weight  # ok: TL106  the same Parameter
        self.table = self.head.weight  # ok: TL106  the same Parameter
        self.weights = [self.head.weight]  # ok: TL106

    def forward(self, tokens):
        return self.embedding(tokens) @ self.table.t() + self.embedding(tokens) @ self.weights[0].t()


def demonstrate():
    module = Views(3)
    module.double()
    assert module.turned.dtype == torch.float32
    assert module.weight.dtype == torch.float64
    shared = Shared(5, 3).double()
    assert shared.table is shared.embedding.weight
