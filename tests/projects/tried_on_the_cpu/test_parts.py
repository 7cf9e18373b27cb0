"""Unit tests that stay on the CPU: their modules make what they like there."""
import torch
from torch import nn


class Toy(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self):
        return self.linear(torch.rand(1, 4))  # ok: TL204


def test_shape():
    assert Toy()().shape == (1, 4)
