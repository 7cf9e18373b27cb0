"""What runs in a network that is halved: parts from a class attribute, a table, a parameter; a function."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Options:
    width: int = 4
    compact: bool = True


class Unit(nn.Module):
    def forward(self, x):
        return x / (x.norm(dim=-1, keepdim=True) + 1e-9)  # expect: TL302


class UnitInRange(Unit):
    def forward(self, x):
        return x / (x.norm(dim=-1, keepdim=True) + 1e-4)  # ok: TL302


class UnitInFloat(Unit):
    def forward(self, x):
        wide = x.float()
        length = wide.square().sum(-1, keepdim=True).sqrt()
        return (wide / (length + 1e-9)).to(x.dtype)  # ok: TL302


class Gate(nn.Module):
    def forward(self, x):
        shares = x.softmax(-1)
        return -(shares * (shares + 1e-10).log()).sum(-1)  # expect: TL302


class Chosen(nn.Module):
    first = Unit
    gates = {"entropy": Gate, "none": nn.Identity}

    def __init__(self, width, gate="entropy"):
        super().__init__()
        layers = [self.first(), nn.Linear(width, width)]
        self.layers = nn.Sequential(*layers)
        self.gate = self.gates[gate]()

    def forward(self, x):
        return self.gate(self.layers(x))


class ChosenInRange(Chosen):
    first = UnitInRange


class Preview:
    def __init__(self, options, kind=Chosen):
        self.net = kind(options.width)
        if options.compact:
            self.net.half()


def sharpened(x):
    return x / torch.clamp(x.sum(-1, keepdim=True), min=1e-12)  # expect: TL302


def sharpened_offline(x):
    return x / (x.sum(-1, keepdim=True) + 1e-12)  # ok: TL302  no network runs it


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rounds", torch.zeros(1))
        self.register_buffer("whole", torch.zeros(1, dtype=torch.long))

    def forward(self, x):
        self.rounds += 1  # expect: TL302
        self.whole += 1  # ok: TL302
        return sharpened(x) / self.rounds


class Holds(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale()

    def forward(self, x):
        return self.scale(x)


TYPES = {"brain": torch.bfloat16, "half": torch.float16, "single": torch.float32}


def made(name, scale=Scale):
    held = Holds(scale)
    return held.to(TYPES[name])


def demonstrate():
    zero = torch.zeros(2, 4).half()
    assert Preview(Options()).net.layers[0](zero).isnan().all()
    assert Preview(Options(), ChosenInRange).net(zero).isfinite().all() and UnitInFloat()(zero).isfinite().all()
    assert Gate()(torch.tensor([100.0, 0.0], dtype=torch.float16)).isnan().all()
    held = made("brain")
    for _ in range(300):
        held(torch.ones(1, 1).bfloat16())
    assert held.scale.rounds.item() == 256 and held.scale.whole.item() == 300
    assert made("half")(zero).isnan().all()
    sharpened_offline(zero.float())
