"""What the helpers return is kept, indexes, or opens a region."""
import tables as T
import torch
from tables import even_ids, even_steps, full_precision, learned, mixed_precision, ramp, select, size_and_kernel
from torch import nn


class Kept(nn.Module):
    def __init__(self, length: int = 4):
        super().__init__()
        self.plain = ramp(length)  # expect: TL101
        self.by_module = T.ramp(length)  # expect: TL101
        self.learned = learned(length)  # ok: TL101  the helper returns a Parameter
        self.length, self.kernel = size_and_kernel(length)  # expect: TL101
        self.size, kernel = size_and_kernel(length)  # ok: TL101  only the number is kept
        self.register_buffer("kept", kernel)  # ok: TL101

    def forward(self, x):
        return x[: self.length] * self.kernel + self.plain + self.by_module + self.learned * self.kept * self.size


def picked(table):
    return table[even_steps(3)]


def picked_by_ids(table):
    return table[even_ids(3)]


def picked_elsewhere(table):
    ids = torch.zeros(2)  # expect: TL201
    return select(table, ids)


def product(a, b):
    with mixed_precision():
        return a.float() @ b  # expect: TL401


def exact_product(a, b):
    with mixed_precision(), full_precision():
        return a.float() @ b.float()  # ok: TL401


def export(model: nn.Module):
    return T.halved(model.state_dict())
