"""functools.partial(self.register_buffer, ..) returns what register_buffer does: nothing."""
from functools import partial

import torch
from torch import nn


class Assigned(nn.Module):
    def __init__(self):
        super().__init__()
        constant = partial(self.register_buffer, persistent=False)
        constant("window", torch.ones(3))
        self.phase = constant("phase", torch.zeros(3))  # expect: TL115

    def forward(self, x):
        return x * self.window


class Made(nn.Module):
    """The partial of another function returns a tensor."""

    def __init__(self):
        super().__init__()
        constant = partial(torch.full, (3,))
        self.register_buffer("window", constant(1.0))
        self.phase = constant(0.0)  # ok: TL115
        self.phase = nn.Parameter(self.phase)  # ok: TL115

    def forward(self, x):
        return x * self.window + self.phase


def demonstrate():
    assert Assigned().phase is None
    assert "window" not in Assigned().state_dict()
    assert Made().phase is not None
