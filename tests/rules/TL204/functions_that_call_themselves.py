"""A function that runs a tree of layers calls itself, with what it has just returned: the question has an end."""
import torch
from torch import nn


def run(layer, x):
    if isinstance(layer, nn.Sequential):
        for part in layer:
            x = run(part, x)
        return x
    if isinstance(layer, nn.ModuleList):
        return run(layer[1], run(layer[0], x))
    return scaled(layer, x)


def scaled(layer, x):
    if isinstance(layer, nn.Identity):
        return x
    x = run(nn.Identity(), x)
    return layer(x) * run(nn.Identity(), torch.sigmoid(scaled(nn.Identity(), x)))


class Tree(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 2), nn.ModuleList([nn.Identity(), nn.Linear(2, 2)]))

    def forward(self, x):
        offset = torch.zeros(x.shape[0], 2)  # expect: TL204
        return run(self.layers, x + offset)


def demonstrate():
    tree = Tree().to("meta")
    try:
        tree(torch.ones(3, 2, device="meta"))
    except RuntimeError:
        return
    raise AssertionError("meta and cpu met")
