"""The device and dtype of construction, kept and trusted by forward; a property asks the module each time."""

import torch
from torch import nn


class Loss(nn.Module):
    def __init__(self, dim: int, device="cpu", dtype=torch.float32):
        super().__init__()
        self.device = torch.device(device)  # note: TL119
        self.dtype = dtype  # note: TL119
        self.head = nn.Linear(dim, dim, device=device, dtype=dtype)

    def forward(self, hidden):
        mask = torch.ones(hidden.shape[:-1], device=self.device)
        return self.head(hidden.to(self.dtype)).logsumexp(-1) * mask


class Asking(nn.Module):
    def __init__(self, dim: int, device="cpu", dtype=torch.float32):
        super().__init__()
        self.head = nn.Linear(dim, dim, device=device, dtype=dtype)

    @property
    def device(self):
        return self.head.weight.device  # ok: TL119

    @property
    def dtype(self):
        return self.head.weight.dtype  # ok: TL119

    def forward(self, hidden):
        mask = torch.ones(hidden.shape[:-1], device=self.device)
        return self.head(hidden.to(self.dtype)).logsumexp(-1) * mask


def demonstrate():
    moved = nn.ModuleList([Loss(3), Asking(3)])
    moved.to("meta")
    assert [part.device.type for part in moved] == ["cpu", "meta"]
    Loss(3)(torch.ones(2, 3))
