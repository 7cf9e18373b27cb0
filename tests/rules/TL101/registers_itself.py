"""A __setattr__ that registers tensors by itself, and one that only logs."""
import torch
from torch import nn


class Registering(nn.Module):
    def __setattr__(self, name, value):
        if isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter) and name not in self._buffers:
            self.register_buffer(name, value)
        else:
            super().__setattr__(name, value)


class Automatic(Registering):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.taps = torch.ones(dim)  # ok: TL101

    def forward(self, x):
        return x * self.taps


class Logging(nn.Module):
    def __setattr__(self, name, value):
        self.__dict__.setdefault("log", []).append(name)
        super().__setattr__(name, value)


class Logged(Logging):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.taps = torch.ones(dim)  # expect: TL101

    def forward(self, x):
        return x * self.taps


def demonstrate():
    assert Automatic().to("meta").taps.is_meta
    assert not Logged().to("meta").taps.is_meta
