"""A buffer that is there for its dtype and device: nobody reads what is in it."""
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.register_buffer("place", torch.FloatTensor(1))  # note: TL202
        self.register_buffer("like", torch.empty(1))  # ok: TL202
        self.register_buffer("first", torch.FloatTensor(1))  # expect: TL202
        self.dim = dim

    def forward(self, length: int):
        table = torch.arange(length * self.dim).view(length, self.dim).to(self.place)
        like = torch.empty(2, 2).zero_()  # ok: TL202  every element is written before it is read
        shown = torch.tensor([1.0, 2.0], dtype=table.dtype, device=table.device)  # ok: TL202  elements, no size
        ones = torch.ones(length, self.dim, dtype=self.place.dtype, device=self.place.device)
        return table.to(self.first) * self.first + ones + torch.zeros_like(self.place) + like.sum() + shown.sum()


def demonstrate():
    torch.use_deterministic_algorithms(True)
    try:
        module = Positions(2)
    finally:
        torch.use_deterministic_algorithms(False)
    # In this mode torch fills reserved memory with NaN.
    assert module(2).isnan().all()
    assert torch.arange(2).to(module.place).isfinite().all() and module.place.isnan().all()
