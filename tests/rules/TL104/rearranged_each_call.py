"""A kept value that each call only shuffles is the kept value still; one that each call adds to is state."""
import torch
from torch import nn


class Masks(nn.Module):
    def __init__(self, count: int = 8):
        super().__init__()
        self.count = count
        self.first = True  # note: TL122
        self.masks = None  # expect: TL122

    def draw(self, x):
        return (torch.rand(self.count, x.shape[-1], device=x.device) > 0.5).to(x.dtype)


class Shuffled(Masks):
    def forward(self, x):
        if self.first:
            self.masks = self.draw(x)  # expect: TL104
            self.first = False
        self.masks = self.masks[torch.randperm(self.count)]
        self.masks = torch.roll(self.masks, 1, dims=1)
        return x * self.masks[: x.shape[0]]


class DrawnEachCall(Masks):
    def forward(self, x):
        self.masks = self.draw(x)  # ok: TL104
        self.masks = self.masks[torch.randperm(self.count)]  # ok: TL104
        return x * self.masks[: x.shape[0]]


class Followed(Masks):
    def forward(self, x):
        if self.masks is None:
            self.masks = self.draw(x)  # ok: TL104  moved to the input before each use
        self.masks = self.masks.to(x)
        self.masks = self.masks.flip(0)
        return x * self.masks[: x.shape[0]]


class Accumulated(Masks):
    def forward(self, x):
        if self.first:
            self.masks = self.draw(x)  # ok: TL104  state, and no cache: what TL122 and TL102 speak of
            self.first = False
        self.masks = self.masks * 0.5 + self.draw(x)
        return x * self.masks[: x.shape[0]]


def demonstrate():
    x = torch.ones(2, 4)
    shuffled = Shuffled()
    shuffled(x)
    try:
        shuffled(x.to("meta"))
    except RuntimeError:
        pass
    else:
        raise AssertionError
    for kind in (DrawnEachCall, Followed):
        module = kind()
        module(x)
        assert module(x.to("meta")).device.type == "meta"
