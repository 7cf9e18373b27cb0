"""The device of construction builds the tensors of forward, by a keyword dict, a helper or a to()."""

import torch
from torch import nn


class Remembering(nn.Module):
    def __init__(self, dim: int, device="cpu", dtype=torch.float32):
        super().__init__()
        self.factory = {"device": device, "dtype": dtype}  # expect: TL119
        self.device = torch.device(device)  # expect: TL119
        self.layer = nn.Linear(dim, dim, **self.factory)

    def _zeros(self, count):
        return torch.zeros(count, device=self.device)

    def forward(self, x):
        return self.layer(x) + torch.ones(x.shape[-1], **self.factory) + self._zeros(x.shape[-1])


class Asking(nn.Module):
    def __init__(self, dim: int, device="cpu"):
        super().__init__()
        self.layer = nn.Linear(dim, dim, device=device)
        self.built_on = device  # ok: TL119  nothing is placed by it

    @property
    def device(self):
        return self.layer.weight.device

    def forward(self, x):
        return self.layer(x) + torch.zeros(1, device=self.device)


def demonstrate():
    module = Remembering(2).to("meta")
    assert module.device.type == "cpu" and module._zeros(1).device.type == "cpu"
    Remembering(2)(torch.ones(1, 2)), Asking(2)(torch.ones(1, 2))
