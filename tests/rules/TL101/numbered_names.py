"""Tables under numbered names, read back by getattr with the same numbers."""

import torch
from torch import nn


class Levels(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.count = len(dims)
        for index, dim in enumerate(dims):
            setattr(self, f"grid_{index}", torch.linspace(0, 1, dim))  # expect: TL101
            self.register_buffer(f"scale_{index}", torch.ones(dim))  # ok: TL101
            setattr(self, f"size_{index}", dim)  # ok: TL101

            setattr(self, f"spare_{index}", torch.ones(dim))  # ok: TL101  nothing reads it
            setattr(self, f"moved_{index}", torch.ones(dim))  # note: TL101  moved at every read
            setattr(self, f"learned_{index}", nn.Parameter(torch.ones(dim)))  # ok: TL101

    def shifted(self, x, index):
        return x + getattr(self, f"moved_{index}").to(x) * getattr(self, f"learned_{index}")

    def forward(self, xs):
        return [
            x * getattr(self, f"grid_{i}") * getattr(self, f"scale_{i}") / getattr(self, f"size_{i}")
            for i, x in enumerate(xs)
        ]


def demonstrate():
    module = Levels([2, 3]).double()
    assert module.grid_0.dtype == torch.float32 and module.scale_0.dtype == torch.float64
    module([torch.ones(2), torch.ones(3)])
