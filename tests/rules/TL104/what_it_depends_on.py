"""What a value depends on: arguments, shapes, and of device and dtype only what it takes over from something."""
import torch
from torch import nn


class Kept(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.mask = None
        self.size = 0
        self.shift = 0

    def made(self, length: int, shift: int, device):
        return torch.ones(length, length, dtype=torch.bool, device=device).triu(shift)


class LeavesOutAnArgument(Kept):
    def kept(self, length: int, shift: int, device):
        if self.mask is None or len(self.mask) != length or self.mask.device != device:
            self.mask = self.made(length, shift, device)  # expect: TL104
        return self.mask

    def forward(self, x, shift: int = 1):
        return x.masked_fill(self.kept(len(x), shift, x.device), 0)


class LeavesOutTheShape(Kept):
    def forward(self, x):
        if self.mask is None or self.mask.device != x.device:
            self.mask = self.made(len(x), 1, x.device)  # expect: TL104
        return x.masked_fill(self.mask, 0)


class WithoutDevice(Kept):
    """Made on the CPU, wherever the input is."""

    def forward(self, x):
        if self.size < len(x):
            self.size = len(x)
            self.mask = torch.ones(len(x), len(x))  # expect: TL104
        return x * self.mask[: len(x), : len(x)]


class AsksForTheArgument(Kept):
    def kept(self, length: int, shift: int, device):
        if (length, shift, device) != self.size:
            self.size = (length, shift, device)
            self.mask = self.made(length, shift, device)  # ok: TL104
        return self.mask

    def forward(self, x, shift: int = 1):
        return x.masked_fill(self.kept(len(x), shift, x.device), 0)


class MaskHasNoDtype(Kept):
    def forward(self, x):
        if self.mask is None or self.mask.shape != x.shape or self.mask.device != x.device:
            self.mask = (torch.zeros_like(x) == 0)  # ok: TL104
        return x.masked_fill(self.mask, 0)


class OneDtype(Kept):
    """float32 whatever the input is: another dtype changes nothing."""

    def forward(self, x):
        if self.mask is None or self.mask.shape != x.shape or self.mask.device != x.device:
            self.mask = torch.ones_like(x).float()  # ok: TL104
        return (x.float() * self.mask).to(x)


class IndexOnly(Kept):
    def forward(self, x):
        if self.mask is None or len(self.mask) != len(x):
            self.mask = torch.arange(len(x)).flip(0)  # ok: TL104  a CPU index selects on any device
        return x[self.mask]


class ZeroDim(Kept):
    def forward(self, x):
        if self.mask is None:
            self.mask = torch.tensor(self.dim**0.5)  # ok: TL104  a CPU number works beside any device
        return x / self.mask


def demonstrate():
    x = torch.ones(4, 4)
    for kind in (AsksForTheArgument, MaskHasNoDtype, OneDtype, IndexOnly, ZeroDim):
        module = kind()
        module(x)
        module(x.to("meta"))
    module = LeavesOutAnArgument()
    module(x)
    assert torch.equal(module(x, shift=2), module(x, shift=1))
    for kind, other in ((LeavesOutTheShape, torch.ones(5, 5)), (WithoutDevice, x.to("meta"))):
        module = kind()
        module(x)
        try:
            module(other)
            raise AssertionError(kind)
        except RuntimeError:
            pass
