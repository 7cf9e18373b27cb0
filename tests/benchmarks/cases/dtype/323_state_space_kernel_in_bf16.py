"""A state-space layer keeps its complex poles in a buffer; a loader that converts the stack with .to(bfloat16) leaves damped cosines out.

source: pytorch/pytorch#71680 kind, S4/LRU layers with complex diagonals loaded with a compute dtype
rules: [TL301]
"""
import math

import torch
from torch import nn


class Poles(nn.Module):
    def __init__(self, order=4):
        super().__init__()
        angle = math.pi * torch.arange(order) / order
        self.register_buffer("poles", torch.polar(torch.full((order,), 0.9), angle))
        self.mix = nn.Parameter(torch.ones(order))

    def kernel(self, length):
        steps = torch.arange(length, device=self.poles.device)
        powers = self.poles[:, None] ** steps
        return (self.mix.float() @ powers.real.float()).to(self.mix.dtype)


class PairPoles(Poles):
    """Radius and angle as two real buffers: both may be rounded, neither can be lost."""

    def __init__(self, order=4):
        super().__init__(order)
        both = torch.stack((self.poles.abs(), self.poles.angle()))
        del self.poles
        self.register_buffer("both", both)

    def kernel(self, length):
        radius, angle = self.both.float().unbind(0)
        steps = torch.arange(length, device=self.both.device)
        powers = radius[:, None] ** steps * torch.cos(angle[:, None] * steps)
        return (self.mix.float() @ powers).to(self.mix.dtype)


class Mixer(nn.Module):
    def __init__(self, core):
        super().__init__()
        self.core, self.out = core, nn.Linear(1, 1)

    def forward(self, u):
        k = self.core.kernel(u.shape[-1])
        return self.out((u * k.flip(0)).sum(-1, keepdim=True))


class Stack(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.blocks = nn.ModuleDict({f"b{i}": Mixer(Poles()) for i in range(depth)})


class PairStack(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.blocks = nn.ModuleDict({f"b{i}": Mixer(PairPoles()) for i in range(depth)})


def load(device="cpu"):
    net = Stack()
    net.to(device=device, dtype=torch.bfloat16)  # expect: TL301
    return net


def load_pairs(device="cpu"):
    net = PairStack()
    net.to(device=device, dtype=torch.bfloat16)  # ok: TL301
    return net


def load_by_method(device="cpu"):
    net = Stack().to(device)  # ok: TL301
    return net.bfloat16()  # ok: TL301


def demonstrate():
    want = Poles().kernel(6)
    for make, right in ((load, False), (load_pairs, True), (load_by_method, True)):
        got = make().blocks["b0"].core.kernel(6).float()
        assert torch.allclose(got, want, atol=0.05) is right, make
