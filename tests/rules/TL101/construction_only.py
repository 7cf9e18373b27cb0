"""Only construction reads the tensor: it is a note to itself, even when it goes through a helper."""
import torch
from torch import nn


class Gain(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.start = torch.full((dim,), dim**-0.5)  # ok: TL101
        self.floor = torch.full((dim,), 0.1)  # expect: TL101
        self.reset_parameters()

    def reset_parameters(self) -> None:
        self.gain = nn.Parameter(self.start.clone())

    def forward(self, x):
        return x * torch.maximum(self.gain, self.floor)


def demonstrate():
    module = Gain().double()
    assert module.start.dtype == torch.float32
    assert module.gain.dtype == torch.float64
    module.floor = module.floor.to("meta")
    try:
        module(torch.ones(4).double())
        raise AssertionError("the floor is on another device")
    except RuntimeError:
        pass
