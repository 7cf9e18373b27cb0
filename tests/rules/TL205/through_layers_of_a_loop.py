"""What a loop over layers begins with is not what it ends with: there is some layer."""
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, dim: int = 3, depth: int = 2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(depth)])

    def through(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def scaled(self, x, scales):
        for scale in scales:
            x = x * scale
        return x

    def forward(self, x):
        turned = self.through(x.permute(0, 2, 1))
        return turned.view(-1, x.shape[1])  # ok: TL205  linear layers write their output in order

    def without_layers(self, x, scales):
        turned = self.scaled(x.permute(0, 2, 1), scales)
        return turned.view(-1, x.shape[1])  # expect: TL205


def demonstrate():
    head, x = Head(), torch.ones(2, 3, 4)
    assert head(x).shape == (8, 3)
    try:
        head.without_layers(x, [2.0])
        raise AssertionError("view() took what is out of order")
    except RuntimeError as error:
        assert "view" in str(error)
