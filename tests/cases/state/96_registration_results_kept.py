"""The registering calls return nothing, yet their result is stored, chained or collected.

source: forum and issue reports on `self.x = self.register_buffer(...)`; torch.nn.Module documentation of the three calls
rules: [TL115]
"""
import torch
from torch import nn


class Bank(nn.Module):
    def __init__(self, bands: int = 4, learn: bool = True):
        super().__init__()
        self.bands = bands
        self.learn = learn
        self.create(torch.linspace(0.1, 1.0, bands))

    def create(self, centres: torch.Tensor) -> None:
        raise NotImplementedError

    def forward(self, x):
        return x * self.centres


class NoneBank(Bank):
    def create(self, centres):
        self.centres = self.register_buffer("_centres", centres)  # expect: TL115
        if self.learn:
            self.width = self.register_parameter(name="_width", param=nn.Parameter(centres * 0 + 1))  # expect: TL115
        self.mix = self.add_module("mixer", nn.Linear(self.bands, self.bands))  # expect: TL115


class SameNameBank(Bank):
    """With one and the same name the assignment empties the buffer that was just registered."""

    def create(self, centres):
        self.centres = self.register_buffer("centres", centres, persistent=False)  # expect: TL115


class PlainBank(Bank):
    def create(self, centres):
        self.register_buffer("centres", centres)  # ok: TL115
        self.register_parameter("width", nn.Parameter(torch.ones_like(centres)) if self.learn else None)  # ok: TL115
        self.handle = self.register_forward_hook(lambda mod, args, out: out)  # ok: TL115


class ReturningBank(Bank):
    """A helper of its own that registers and hands the tensor back."""

    def const(self, name: str, value: torch.Tensor) -> torch.Tensor:
        self.register_buffer(name, value, persistent=False)
        return value

    def create(self, centres):
        first = self.const("centres", centres)  # ok: TL115
        self.lowest = float(first[0])


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.ones(2, 4)
    bad = NoneBank()
    assert bad.centres is None and bad.width is None and bad.mix is None
    assert SameNameBank().centres is None
    for cls in (NoneBank, SameNameBank):
        try:
            cls()(x)
            raise AssertionError("None cannot be multiplied")
        except TypeError:
            pass
    assert PlainBank()(x).shape == (2, 4) and PlainBank().handle is not None
    assert ReturningBank()(x).shape == (2, 4)
