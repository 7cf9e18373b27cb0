"""Unit tests that move a module to an accelerator where there is one."""
import torch
from torch import nn


class Toy(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self):
        return self.linear(torch.rand(1, 4))  # expect: TL204


def test_shape():
    toy = Toy()
    if torch.cuda.is_available():
        toy = toy.cuda()
    assert toy().shape == (1, 4)
