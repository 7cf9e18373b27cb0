"""A walrus, a tuple or setattr that keeps what register_buffer() gives keeps None."""

import torch
from torch import nn


class Nothing(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.mean, self.std = self.register_buffer("mean_", torch.zeros(dim)), torch.ones(dim)  # expect: TL115  # expect: TL101
        setattr(self, "table", self.register_buffer("table_", torch.zeros(dim)))  # expect: TL115
        added = self.register_parameter("gain", nn.Parameter(torch.ones(dim)))  # ok: TL115  a local
        assert added is None

    def forward(self, x):
        return x * self.std * self.gain if self.mean is None else x


class Something(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.hook = self.register_forward_hook(lambda module, inputs, output: output)  # ok: TL115  a handle
        self.table = self.register_buffer_like("kept", torch.zeros(dim))  # ok: TL115  a method of its own

    def register_buffer_like(self, name, tensor):
        self.register_buffer(name, tensor)
        return name

    def forward(self, x):
        return x + getattr(self, self.table)


def demonstrate():
    assert Nothing(2).mean is None and Nothing(2).table is None
    Something(2)(torch.ones(2))
