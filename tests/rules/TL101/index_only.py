"""An integer tensor that only selects works from the CPU on every device: a note. A floating or computing one does not."""
import torch
from torch import nn


class Selecting(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.order = torch.arange(dim).flip(0)  # note: TL101
        self.picked = torch.tensor([0, 2])  # note: TL101
        self.shift = torch.arange(dim)  # expect: TL101
        self.register_buffer("kept", torch.arange(dim))  # ok: TL101
        self.first = [0, 1]  # ok: TL101
        self.last = slice(-2, None)  # ok: TL101

    def forward(self, x):
        x = x[:, self.order][:, self.kept] + self.shift
        return x[:, self.picked] + x[:, self.first] + x[:, self.last]


def demonstrate():
    module = Selecting().double()
    assert module.order.dtype == torch.int64
    moved = module.to("meta")
    assert not moved.shift.is_meta
    assert torch.zeros(1, 4, device="meta")[:, moved.order].is_meta
