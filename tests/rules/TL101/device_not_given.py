"""A caller who gives no device gets the table where it is; one who gives it gets it there: moved at every read."""
import torch
from torch import nn


class Asked(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.table = torch.ones(dim)  # note: TL101
        self.other = torch.ones(dim)  # expect: TL101

    def on(self, device):
        return self.table.to(device)

    def forward(self, x, device=None):
        table = self.on(device) if device is not None else self.table
        return x + table + (self.other if device is not None else 0)


def demonstrate():
    module = Asked().to("meta")
    assert module.on("meta").is_meta
    assert not module.table.is_meta
    assert not module.other.is_meta
