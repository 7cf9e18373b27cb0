"""A setter or a method changes a setting that the kept value was made with; the key does not ask for it."""
import torch
from torch import nn


def mask(length: int, shift: int, like: torch.Tensor) -> torch.Tensor:
    found = torch.zeros(length, device=like.device, dtype=like.dtype)
    if shift:
        found[-shift:] = 1
    return found


class Shifted(nn.Module):
    def __init__(self, shift: int = 1):
        super().__init__()
        self._shift = shift
        self._masks: dict = {}

    @property
    def shift(self) -> int:
        return self._shift

    @shift.setter
    def shift(self, value: int) -> None:
        self._shift = value

    def key(self, x):
        return (x.shape[-1], x.device, x.dtype)

    def fill(self, key, x):
        made = self._masks[key] = mask(x.shape[-1], self._shift, x)  # expect: TL104
        return made

    def forward(self, x):
        x = x.roll(self._shift, -1)
        key = self.key(x)
        try:
            kept = self._masks[key]
        except KeyError:
            kept = self.fill(key, x)
        return x + kept


class Asked(Shifted):
    def key(self, x):
        return (x.shape[-1], self._shift, x.device, x.dtype)

    def fill(self, key, x):
        made = self._masks[key] = mask(x.shape[-1], self._shift, x)  # ok: TL104
        return made


class Emptied(Shifted):
    @property
    def shift(self) -> int:
        return self._shift

    @shift.setter
    def shift(self, value: int) -> None:
        self._shift = value
        self._masks.clear()

    def fill(self, key, x):
        made = self._masks[key] = mask(x.shape[-1], self._shift, x)  # ok: TL104
        return made


class Fixed(nn.Module):
    """Only construction sets it; the key is put together by a method, dtype and all."""

    def __init__(self, shift: int = 1):
        super().__init__()
        self.shift = shift
        self.asked = self.kept = None

    def key(self, x):
        return (x.shape[-1], x.device, x.dtype)

    def forward(self, x):
        if self.asked != self.key(x):
            self.asked = self.key(x)
            self.kept = mask(x.shape[-1], self.shift, x)  # ok: TL104
        return x + self.kept


def demonstrate():
    x = torch.arange(4.0)
    for kind, is_right in ((Shifted, False), (Asked, True), (Emptied, True)):
        module, fresh = kind(), kind(0)
        module(x)
        module.shift = 0
        assert torch.equal(module(x), fresh(x)) is is_right
    fixed = Fixed()
    fixed(x)
    assert fixed(x.double()).dtype is torch.float64
