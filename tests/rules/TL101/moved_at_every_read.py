"""Converted to the input's device at every read, the tensor harms nobody: a note. One raw read makes it a warning."""
import torch
from torch import nn


class Converted(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.table = torch.ones(dim)  # note: TL101
        self.scale = torch.ones(dim)  # note: TL101
        self.shift = torch.ones(dim)  # note: TL101
        self.register_buffer("kept", torch.ones(dim))  # ok: TL101

    def forward(self, x):
        table = self.table.to(x.device, x.dtype)
        return x * self.scale.type_as(x) + table + self.shift.to(x) + self.kept.to(x.device)


class PartlyConverted(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.table = torch.ones(dim)  # expect: TL101
        self.pinned = torch.ones(dim)  # expect: TL101
        self.typed = torch.ones(dim)  # expect: TL101
        self.register_buffer("kept", torch.ones(dim))  # ok: TL101
        self.rate = 0.5  # ok: TL101

    def forward(self, x):
        if x.ndim > 1:
            return x + self.table
        pinned = self.pinned.to("cpu")  # a constant follows nothing
        typed = self.typed.type(type(x))  # the type of a tensor is torch.Tensor, whatever its device
        return x * self.rate + self.table.to(x) + pinned + typed + self.kept


def demonstrate():
    x = torch.ones(4, device="meta", dtype=torch.float64)
    assert Converted().to("meta")(x).is_meta
    module = PartlyConverted().to("meta")
    assert not module.typed.to("cpu").type(type(torch.ones(1, dtype=torch.float64))).dtype == torch.float64
    for broken in (x, x[None]):
        try:
            module(broken)
            raise AssertionError("a tensor was left on the CPU")
        except RuntimeError:
            pass
