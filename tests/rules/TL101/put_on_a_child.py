"""The owner puts a tensor on a child: plain, unless the class of the child registers the name."""
import torch
from torch import nn


class Head(nn.Linear):
    def forward(self, x):
        shift = getattr(self, "shift", None)
        return super().forward(x) if shift is None else super().forward(x) + shift


class KnowingHead(nn.Linear):
    def __init__(self, dim: int):
        super().__init__(dim, dim)
        self.register_buffer("shift", None)

    def forward(self, x):
        return super().forward(x) if self.shift is None else super().forward(x) + self.shift


class Named(nn.Linear):
    def __init__(self, dim: int):
        super().__init__(dim, dim)
        self.labels = None

    def extra_repr(self):
        return f"{self.labels}"


class Owner(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.head, self.knowing, self.named = Head(dim, dim), KnowingHead(dim), Named(dim)
        self.head.shift = torch.ones(dim)  # expect: TL101
        self.knowing.shift = torch.ones(dim)  # ok: TL101
        self.named.labels = torch.arange(dim)  # ok: TL101  shown, and nothing else

    def forward(self, x):
        return self.head(x) + self.knowing(x) + self.named(x)


class ReadByTheOwner(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.head = Named(dim)
        self.head.gain = torch.ones(dim)  # expect: TL101
        self.head.count = 3  # ok: TL101

    def forward(self, x):
        return self.head(x) * self.head.gain


def demonstrate():
    owner = Owner().double()
    assert owner.head.shift.dtype == torch.float32
    assert owner.knowing.shift.dtype == torch.float64
    assert ReadByTheOwner().double().head.gain.dtype == torch.float32
    assert owner(torch.ones(1, 3, dtype=torch.float64)).shape == (1, 3)
    assert ReadByTheOwner()(torch.ones(1, 3)).shape == (1, 3)
