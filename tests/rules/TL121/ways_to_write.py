"""Every way to write into the memory of a buffer that a product has saved, and the ways that make new memory."""
import torch
from torch import nn


class Gains(nn.Module):
    names = ("a", "b", "c", "d", "e", "f")

    def __init__(self, dim: int = 3):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        for name in self.names:
            self.register_buffer(name, torch.ones(dim))

    def forward(self, x):
        x = self.mix(x)
        out = x * self.a + x * self.b + x * self.c + x * self.d + x * self.e + x * self.f
        with torch.no_grad():
            self.write(x)
        return out


class InPlace(Gains):
    def write(self, x):
        self.a += x.mean(0)  # expect: TL121
        self.b.mul_(0.9).add_(x.mean(0))  # expect: TL121
        self.c[0] = x.mean()  # expect: TL121
        torch.add(self.d, 1, out=self.d)  # expect: TL121
        gain = self.e
        gain.copy_(x.mean(0))  # expect: TL121
        self.f.detach().zero_()  # expect: TL121


class Rebound(Gains):
    def write(self, x):
        self.a = self.a + x.mean(0)  # ok: TL121
        self.b = self.b.mul(0.9).add_(x.mean(0))  # ok: TL121
        self.c = self.c.clone()
        self.c[0] = x.mean()  # ok: TL121
        self.d = torch.add(self.d, 1)  # ok: TL121
        gain = self.e.clone()
        gain.copy_(x.mean(0))  # ok: TL121
        self.f.data.zero_()  # ok: TL121  does not raise, though the gradient is wrong


def trains(module: nn.Module) -> bool:
    try:
        module(torch.randn(2, 3)).sum().backward()
    except RuntimeError as error:
        assert "inplace operation" in str(error)
        return False
    return True


def demonstrate():
    assert not trains(InPlace())
    assert trains(Rebound())
    for name in Gains.names:
        kind = type("One", (Gains,), {"write": lambda self, x, name=name: getattr(self, name).add_(1)})
        assert not trains(kind())
