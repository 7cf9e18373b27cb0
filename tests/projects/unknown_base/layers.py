"""The base is in a package that is not there: a class is a Module on evidence, and else nothing is said."""
import torch
from company_layers import Layer, Record
from torch import nn


class OnEvidence(Layer):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.shift = torch.ones(dim)  # expect: TL101
        self.register_buffer("kept", torch.ones(dim))  # ok: TL101

    def forward(self, x):
        return x * self.weight + self.shift + self.kept


class NoEvidence(Record):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.shift = torch.ones(dim)  # ok: TL101  a record may hold what it likes

    def forward(self, x):
        return x + self.shift
