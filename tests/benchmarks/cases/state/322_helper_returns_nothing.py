"""A base class wraps the registering calls in helpers; some helpers return what the registering call returns.

source: chemprop/chemprop#766 and forum reports of `self.x = self.register_buffer(...)`
rules: [TL115]
"""
import torch
from torch import nn


class Signal(nn.Module):
    def constant(self, name: str, value: torch.Tensor):
        return self.register_buffer(name, value, persistent=False)

    def stored(self, name: str, value: torch.Tensor) -> torch.Tensor:
        self.register_buffer(name, value)
        return value

    def part(self, name: str, module: nn.Module) -> nn.Module:
        self.add_module(name, module)
        return getattr(self, name)


class Emphasis(Signal):
    def __init__(self, coef: float = 0.97):
        super().__init__()
        self.taps = self.constant("taps", torch.tensor([-coef, 1.0]))  # expect: TL115

    def forward(self, x):
        return nn.functional.conv1d(x, self.taps[None, None])


class GoodEmphasis(Emphasis):
    def __init__(self, coef: float = 0.97):
        nn.Module.__init__(self)
        self.constant("taps", torch.tensor([-coef, 1.0]))  # ok: TL115
        self.gain = self.stored("gain", torch.ones(1))  # ok: TL115
        self.post = self.part("post", nn.Identity())  # ok: TL115

    def forward(self, x):
        return self.post(super().forward(x) * self.gain)


class Recogniser(nn.Module):
    def __init__(self, width: int = 4, tied: bool = False):
        super().__init__()
        self.net = nn.Linear(width, width)
        self.bias = None if tied else self.register_parameter("offset", nn.Parameter(torch.zeros(width)))  # expect: TL115
        self.head = head = self.add_module("head", nn.Linear(width, 2))  # expect: TL115
        self.tied = head is None and tied  # ok: TL115

    def forward(self, x):
        return self.head(self.net(x) + self.bias)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    assert Emphasis().taps is None
    try:
        Emphasis()(torch.randn(1, 1, 5))
        raise AssertionError("None cannot be subscripted")
    except TypeError:
        pass
    assert GoodEmphasis()(torch.randn(1, 1, 5)).shape == (1, 1, 4)
    bad = Recogniser()
    assert bad.bias is None and bad.head is None
