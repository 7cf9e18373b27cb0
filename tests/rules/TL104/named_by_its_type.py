"""x.type() without arguments is a text that names the dtype and the kind of device: a test of it asks for both."""
import torch
from torch import nn


def made(size: int) -> torch.Tensor:
    return torch.ones(size)


class Window(nn.Module):
    def __init__(self, size: int = 3):
        super().__init__()
        self.size, self.channels = size, 1
        self.window = made(size)  # ok: TL101  made anew where the type is another one

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        channels = x.shape[0]
        if channels == self.channels and self.window.data.type() == x.data.type():
            window = self.window
        else:
            window = made(self.size).type_as(x)
            self.window = window  # ok: TL104
            self.channels = channels
        return x * window


class ByChannels(nn.Module):
    def __init__(self, size: int = 3):
        super().__init__()
        self.size, self.channels = size, 0
        self.window = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        channels = x.shape[0]
        if channels == self.channels:
            window = self.window
        else:
            window = made(self.size).type_as(x)
            self.window = window  # expect: TL104
            self.channels = channels
        return x * window


class ByType(nn.Module):
    def __init__(self, size: int = 3):
        super().__init__()
        self.size, self.window = size, None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.window is None or self.window.type() != x.type():
            self.window = made(self.size).type_as(x)  # ok: TL104
        return x * self.window


def demonstrate():
    x = torch.ones(1, 3)
    assert x.type() == "torch.FloatTensor" and x.double().type() == "torch.DoubleTensor"
    for module, is_renewed in ((Window(), True), (ByChannels(), False), (ByType(), True)):
        module(x)
        module(x.double())
        assert (module.window.dtype == torch.float64) is is_renewed
