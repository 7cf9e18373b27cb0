"""An object that was given the model when it was made writes into it between two passes; its methods have any name."""
import torch
from torch import nn


class Memory:
    def __init__(self, network):
        self.network = network
        self.past = [parameter.detach().clone() + 1.0 for parameter in network.parameters()]

    @torch.no_grad()
    def bring(self):
        for parameter, value in zip(self.network.parameters(), self.past):
            parameter.copy_(value)

    @torch.no_grad()
    def gaze(self):
        return sum(parameter.sum() for parameter in self.network.parameters())

    def __enter__(self):
        self.bring()
        return self

    def __exit__(self, *error):
        return None


class Tilt:
    """Keeps what it gets under another name."""

    def __init__(self, of, by=1.0):
        self.subject, self.by = of, by

    def lean(self):
        with torch.no_grad():
            for parameter in self.subject.parameters():
                parameter.add_(self.by)


class Pairing:
    def __init__(self, network):
        self.network, self.memory = network, Memory(network)

    def gap(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            now = self.network(x)
            self.memory.bring()  # expect: TL408
            then = self.network(x)
        return (now - then).abs().max()

    def looked(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            now = self.network(x)
            self.memory.gaze()  # ok: TL408  nothing is written
            then = self.network(x)
        return (now - then).abs().max()

    def brought_first(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.memory.bring()  # ok: TL408
            return self.network(x)


class PairingOfTwo:
    """The companion writes into another network."""

    def __init__(self, network, other):
        self.network, self.other = network, other
        self.memory = Memory(other)

    def gap(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            now = self.network(x)
            self.memory.bring()  # ok: TL408
            then = self.network(x)
        return (now - then).abs().max()


def leaned(network, x):
    tilt = Tilt(network)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        now = network(x)
        tilt.lean()  # expect: TL408
        then = network(x)
    return (now - then).abs().max()


def leaned_between(network, x):
    tilt = Tilt(network)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        now = network(x)
    tilt.lean()  # ok: TL408
    with torch.autocast("cpu", dtype=torch.bfloat16):
        then = network(x)
    return (now - then).abs().max()


class FrozenAtBirth:
    def __init__(self, network):
        self.network = network
        self.anchor = nn.Linear(4, 4).requires_grad_(False)
        self.tilt = Tilt(self.anchor)

    def gap(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            now = self.anchor(x)
            self.anchor.weight.mul_(2.0)  # ok: TL408  autocast keeps no casts of what needs no gradient
            self.tilt.lean()  # ok: TL408
            then = self.anchor(x)
        return (now - then).abs().max()


def demonstrate():
    torch.manual_seed(0)
    x = torch.ones(2, 4)
    assert Pairing(nn.Linear(4, 4)).gap(x) == 0
    assert leaned(nn.Linear(4, 4), x) == 0
    assert leaned_between(nn.Linear(4, 4), x) > 0.5
    assert FrozenAtBirth(nn.Linear(4, 4)).gap(x) > 0.1
    assert PairingOfTwo(nn.Linear(4, 4), nn.Linear(4, 4)).gap(x) == 0  # nothing has changed there
