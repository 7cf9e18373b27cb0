"""A helper of the class returns what the registering call returns."""
import torch
from torch import nn


class Signal(nn.Module):
    def constant(self, name: str, value: torch.Tensor):
        return self.register_buffer(name, value, persistent=False)

    def stored(self, name: str, value: torch.Tensor) -> torch.Tensor:
        self.register_buffer(name, value)
        return value

    def part(self, name: str, layer: nn.Module):
        return self.added(name, layer)

    def added(self, name: str, layer: nn.Module):
        return self.add_module(name, layer)

    def chosen(self, name: str, layer: nn.Module | None):
        if layer is None:
            return self.register_module(name, layer)
        self.add_module(name, layer)
        return layer


class Emphasis(Signal):
    def __init__(self):
        super().__init__()
        self.taps = self.constant("taps", torch.ones(2))  # expect: TL115
        self.head = self.part("head", nn.Linear(2, 2))  # expect: TL115
        self.gain = self.stored("gain", torch.ones(1))  # ok: TL115
        self.tail = self.chosen("tail", nn.Linear(2, 2))  # ok: TL115
        self.constant("scale", torch.ones(1))  # ok: TL115

    def forward(self, x):
        return self.tail(x * self.gain * self.scale)


def demonstrate():
    module = Emphasis()
    assert module.taps is None and module.head is None and module.tail is not None
    module(torch.ones(2))
