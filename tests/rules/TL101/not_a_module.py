"""A class that is no Module moves its tensors as it likes."""
import torch
from torch import nn


class Plan:
    def __init__(self, dim: int = 4):
        self.advance = torch.linspace(0, 1, dim)  # ok: TL101

    def forward(self, x):
        return x + self.advance


class Trainer(Plan):
    """It owns a module and is none."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model
        self.weights = torch.ones(4)  # ok: TL101

    def forward(self, x):
        return self.model(x) * self.weights


class Stretch(Plan, nn.Module):
    """Here a Module is among the bases."""

    def __init__(self, dim: int = 4):
        nn.Module.__init__(self)
        self.advance = torch.linspace(0, 1, dim)  # expect: TL101


def demonstrate():
    assert not Stretch().to("meta").advance.is_meta
    assert not hasattr(Plan, "to")
