"""Where branches meet, a tensor is float64 on one of them, and what it meets there is promoted; others are free."""
import numpy as np
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, by_index: bool):
        super().__init__()
        self.by_index = by_index
        self.layer = nn.Linear(4, 4)
        self.register_buffer("sigmas", torch.from_numpy(np.linspace(1.0, 0.1, 10)))  # expect: TL203

    def forward(self, x, time):
        if self.by_index:
            sigmas = self.sigmas[time.long()]
        else:
            sigmas = time
        sigmas = sigmas.reshape(x.shape[0], 1)
        return self.layer(x) / sigmas


class CastOnOneBranch(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("sigmas", torch.from_numpy(np.linspace(1.0, 0.1, 4)))  # ok: TL203  cast where it matters

    def forward(self, x):
        sigmas = self.sigmas
        if x.dtype != torch.float64:
            sigmas = sigmas.to(x.dtype)
        return self.layer(x) / sigmas.reshape(1, 4)


class NarrowBeside(nn.Module):
    def __init__(self, by_index: bool):
        super().__init__()
        self.by_index = by_index
        self.layer = nn.Linear(4, 4)
        self.register_buffer("sigmas", torch.from_numpy(np.linspace(1.0, 0.1, 10)))  # ok: TL203  cast where it is read

    def forward(self, x, time):
        sigmas = self.sigmas[time.long()].float() if self.by_index else time
        return self.layer(x) / sigmas.reshape(x.shape[0], 1)


def demonstrate():
    x, time = torch.ones(2, 4), torch.ones(2)
    assert Scaled(True)(x, time).dtype == torch.float64
    assert Scaled(False)(x, time).dtype == torch.float32
    assert CastOnOneBranch()(x).dtype == torch.float32
    assert NarrowBeside(True)(x, time).dtype == torch.float32
