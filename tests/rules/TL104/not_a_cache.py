"""State of a stream, a record that nobody reads, buffers, one-shot helpers: a test around them makes no cache."""
import torch
from torch import nn


class Recurrent(nn.Module):
    """The state is updated from itself."""

    def __init__(self, dim: int = 4):
        super().__init__()
        self.cell = nn.Linear(dim, dim)
        self.hidden = None

    def forward(self, x):
        if self.hidden is None:
            self.hidden = torch.zeros_like(x)  # ok: TL104
        self.hidden = torch.tanh(self.cell(x) + self.hidden).detach()
        return self.hidden


class KeepsAnInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = None
        self.mean = None

    def forward(self, x):
        if self.first is None:
            self.first = x  # ok: TL104  what was put in
        if self.mean is None:
            self.mean = x.mean(0).detach()  # ok: TL104  initialised from data
        return x - self.mean.to(x) - self.first.to(x)


class Emptied(nn.Module):
    """Whoever calls reset() decides how long the value lives."""

    def __init__(self):
        super().__init__()
        self.mask = None

    def reset(self):
        self.mask = None

    def forward(self, x):
        if self.mask is None:
            self.mask = torch.ones_like(x)  # ok: TL104
        return x * self.mask


class NeverRead(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = None

    def forward(self, x):
        if self.sizes is None:
            self.sizes = torch.full((len(x),), 2.0, device=x.device)  # ok: TL104
        return x


class Registered(nn.Module):
    """A buffer moves along."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", None, persistent=False)

    def forward(self, x):
        if self.table is None:
            self.table = torch.arange(x.shape[-1], device=x.device, dtype=x.dtype)  # ok: TL104
        return x + self.table


class DroppedByApply(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = None
        self.ready = False

    def _apply(self, fn, recurse=True):
        self.ready = False
        return super()._apply(fn, recurse)

    def forward(self, x):
        if not self.ready or len(self.table) != x.shape[-1]:
            self.table = torch.arange(x.shape[-1], device=x.device, dtype=x.dtype)  # ok: TL104
            self.ready = True
        return x + self.table


class FusedOnce(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def fuse(self):
        if not hasattr(self, "identity"):
            self.identity = torch.ones_like(self.weight)  # ok: TL104
        self.weight.data = self.weight.data + self.identity

    def forward(self, x):
        return x * self.weight


class SetAside(nn.Module):
    """The tensor of another attribute is kept to be put back."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.inputs = [torch.zeros(dim)]  # ok: TL105
        self.original = None
        self.swapped = False

    def swap(self):
        if not self.swapped:
            self.original = self.inputs[0]  # ok: TL104
            self.inputs = [self.inputs[0] + 1]
            self.swapped = True

    def forward(self, x):
        self.swap()
        return x + self.inputs[0] - self.original


class FillsARegistry(nn.Module):
    """The test of the caller asks for something else than what the registry is filled for."""

    def __init__(self):
        super().__init__()
        self.defaults = {}
        self.ready = False

    def add(self, name, value):
        self.defaults[name] = value.clone()  # ok: TL104
        setattr(self, name, value)

    def forward(self, x):
        if not self.ready:
            self.ready = True
            self.add("total", torch.zeros(1))
        return x + self.defaults["total"].to(x)


def demonstrate():
    FillsARegistry()(torch.ones(2))
    for kind in (Recurrent, KeepsAnInput, Emptied, NeverRead, Registered, DroppedByApply):
        module = kind()
        module(torch.ones(2, 4))
    module = Registered()
    module(torch.ones(4))
    assert module.double().table.dtype is torch.float64
    module = DroppedByApply()
    module(torch.ones(4))
    assert module.double()(torch.ones(4).double()).dtype is torch.float64
    FusedOnce().fuse()
    SetAside()(torch.ones(3))
