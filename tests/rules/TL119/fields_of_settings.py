"""The object remembers a field of its settings: a program that moves it to that very field agrees, another does not."""
from types import SimpleNamespace

import torch
from torch import nn


class Ranked(nn.Module):
    def __init__(self, count, args):
        super().__init__()
        self.device = args.device  # note: TL119  every caller moves it there
        self.size = args.size  # ok: TL119
        self.items = nn.Embedding(count, args.size)

    def forward(self, ids):
        return self.items(torch.tensor(ids).to(self.device))


class Mapped(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.device = torch.device(args.device)  # note: TL119  the function puts there what it moves to
        self.layer = nn.Linear(args.size, args.size)

    def forward(self, x):
        return self.layer(x.to(self.device))


class Elsewhere(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.device = args.device  # expect: TL119
        self.size = args.size  # ok: TL119
        self.layer = nn.Linear(args.size, args.size)

    def forward(self, x):
        return self.layer(x.to(self.device))


class Reader(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.born_on = str(args.device)  # ok: TL119  a text for the report
        self.layer = nn.Linear(args.size, args.size)

    def extra_repr(self):
        return self.born_on

    def forward(self, x):
        return self.layer(x)


def ranked(args):
    return Ranked(3, args).to(args.device), Reader(args).to(args.device)


def mapped(args, name):
    device = args.device = torch.device(name)
    return Mapped(args).to(device)


def elsewhere(args):
    return Elsewhere(args).to(args.other)


def demonstrate():
    args = SimpleNamespace(device="cpu", other="meta", size=2)
    assert ranked(args)[0]([1, 2]).shape == (2, 2) and mapped(args, "cpu")(torch.ones(1, 2)).shape == (1, 2)
    try:
        elsewhere(args)(torch.ones(1, 2))
        raise AssertionError("the input followed the module")
    except (RuntimeError, NotImplementedError):
        pass
