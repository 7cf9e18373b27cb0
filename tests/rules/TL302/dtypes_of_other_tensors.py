"""Tensors that take the dtype of another one, and small numbers that stand in for the zeros of a divisor."""

import torch
from torch import nn


class Fence(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def by_ones(self, x):
        return self.layer(x) + torch.ones_like(x) * -1e9  # expect: TL302

    def by_ones_in_float(self, x):
        return torch.ones_like(x.float()) * -1e9  # ok: TL302

    def by_new_ones(self, x):
        return x.new_ones(3) * -1e9  # expect: TL302

    def by_tensor(self, x, keep):
        return (1 - keep.to(x)) * -1e9  # expect: TL302

    def by_device(self, x, keep, device):
        return (1 - keep.to(device).float()) * -1e9  # ok: TL302

    def replaced(self, x):
        total = x.sum(-1, keepdim=True)
        total = torch.where(total == 0, 1e-10, total)  # expect: TL302
        return x / total

    def filled(self, x):
        total = x.sum(-1, keepdim=True)
        return x / total.masked_fill(total == 0, 1e-10)  # expect: TL302

    def filled_in_range(self, x):
        total = x.sum(-1, keepdim=True)
        return x / total.masked_fill(total == 0, 1e-4)  # ok: TL302

    def shown(self, x):
        return torch.where(x == 0, 1e-10, x)  # ok: TL302  nothing is divided by it


def made():
    return Fence(3).half()


def demonstrate():
    fence, zero, keep = made(), torch.zeros(1, 3, dtype=torch.float16), torch.tensor([True, False, True])
    for call in (fence.by_ones, fence.by_new_ones, lambda x: fence.by_tensor(x, keep)):
        assert call(zero).isinf().any(), call
    assert fence.by_ones_in_float(zero).isfinite().all() and fence.by_device(zero, keep, "cpu").isfinite().all()
    assert fence.replaced(zero).isnan().all() and fence.filled(zero).isnan().all()
    assert fence.filled_in_range(zero).isfinite().all() and fence.shown(zero).isfinite().all()
