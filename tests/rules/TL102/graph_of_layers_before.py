"""What is kept is computed from the input of a layer, or by a network that the caller made: both bring a graph."""
import torch
from torch import nn


class Delay(nn.Module):
    """Half of the channels come one call later."""

    def __init__(self):
        super().__init__()
        self.held = None

    def forward(self, x: torch.Tensor):
        now, later = x[:, :2], x[:, 2:]
        before = torch.zeros_like(later) if self.held is None else self.held
        self.keep(later)
        return torch.cat((now, before), 1)

    def keep(self, part):
        raise NotImplementedError


class Attached(Delay):
    def keep(self, part):
        self.held = part  # expect: TL102


class Cloned(Delay):
    def keep(self, part):
        self.held = part.clone()  # expect: TL102


class Cut(Delay):
    def keep(self, part):
        self.held = part.detach()  # ok: TL102


class Emptied(Delay):
    def keep(self, part):
        self.held = part  # ok: TL102  a stream with a reset

    def new_stream(self):
        self.held = None


class Echo(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.last = 0

    def forward(self, x):
        out = self.net(x)
        mixed = out + 0.5 * self.last
        self.last = out  # expect: TL102
        return mixed


class EchoOfNumbers(Echo):
    def forward(self, x):
        out = self.net(x)
        mixed = out + 0.5 * self.last
        self.last = out.mean().item()  # ok: TL102
        return mixed


class EchoCut(Echo):
    def forward(self, x):
        out = self.net(x)
        mixed = out + 0.5 * self.last
        self.last = self.net(x).detach()  # ok: TL102
        return mixed


class Settings(nn.Module):
    """What is kept is what was kept, or what the caller says instead."""

    def __init__(self, choose):
        super().__init__()
        self.choose, self.scale = choose, nn.Parameter(torch.ones(1))
        self.chosen = {}

    def forward(self, x, chosen=None):
        chosen = self.chosen if chosen is None else self.choose(chosen, self.scale)
        self.chosen = chosen  # ok: TL102
        return x * self.scale + self.choose(chosen, self.scale)["a"]


class LastTokens(nn.Module):
    """Integers have no graph."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(8, 4)
        self.last = None

    def forward(self, tokens: torch.LongTensor):
        first = tokens[:1]
        before = first if self.last is None else self.last
        self.last = first.long()  # ok: TL102
        return self.table(tokens) + self.table(before)


def trains_twice(layer: nn.Module) -> bool:
    before = nn.Linear(4, 4)
    for _ in range(2):
        try:
            layer(torch.tanh(before(torch.ones(2, 4)))).sum().backward()
        except RuntimeError:
            return False
    return True


def demonstrate():
    assert not trains_twice(Attached()) and not trains_twice(Cloned()) and trains_twice(Cut())
    net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))
    assert not trains_twice(Echo(net)) and trains_twice(EchoOfNumbers(net)) and trains_twice(EchoCut(net))
    Settings(lambda chosen, scale: chosen)(torch.ones(1), {"a": 1})
    LastTokens()(torch.zeros(2, dtype=torch.long))
