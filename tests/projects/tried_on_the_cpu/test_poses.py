"""A script that is called a test: it measures a network of which others say where it runs."""
import torch
from torch import nn


class Poses(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x) + torch.rand(1, 4)  # expect: TL204


def measure(network: nn.Module, batches):
    return [network(batch) for batch in batches]
