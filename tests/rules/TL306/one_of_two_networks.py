"""Of one of two networks each part of the result is what both return for it: numbers are no tensors."""
import numpy as np
import torch
from torch import nn


class Tall(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)

    def forward(self, x, y):
        out = self.head(x)
        return out.square().mean(), out.abs().mean().item(), torch.eq(out.argmax(1), y).float().mean()


class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 4)

    def forward(self, x, y):
        out = self.head(x)
        return out.square().mean(), out.norm().item(), torch.eq(out.argmax(1), y).float().mean()


def of_numbers(x, y, is_tall=True):
    net = Tall() if is_tall else Wide()
    loss, size, hits = net(x, y)
    loss.backward()
    return np.array([size, hits * 100])  # ok: TL306


def of_the_loss(x, y, is_tall=True):
    net = Tall() if is_tall else Wide()
    loss, size, hits = net(x, y)
    loss.backward()
    return np.array([size, loss, hits * 100])  # expect: TL306


def by_position(x, y, is_tall=True):
    if is_tall:
        net = Tall()
    else:
        net = Wide()
    found = net(x, y)
    return found[2].numpy(), found[0].detach().numpy()  # ok: TL306


def part_of_one(x, y):
    return Wide()(x, y)[2].numpy()  # ok: TL306


def recorded(x, y, is_tall=True):
    if is_tall:
        net = Tall()
    else:
        net = Wide()
    found = net(x, y)
    return found[0].numpy(), found[2].numpy()  # expect: TL306


def demonstrate():
    x, y = torch.randn(3, 2), torch.zeros(3, dtype=torch.long)
    for is_tall in (True, False):
        assert of_numbers(x, y, is_tall).shape == (2,)
        by_position(x, y, is_tall), part_of_one(x, y)
        for run in (of_the_loss, recorded):
            try:
                run(x, y, is_tall)
            except RuntimeError as error:
                assert "requires grad" in str(error)
            else:
                raise AssertionError("numpy took what autograd records")
