"""A layer takes integers wherever it is held: a local, a closure, the head of a Sequential, a pretrained table."""
import torch
from torch import nn


class Tokens(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.table = nn.Sequential(nn.Embedding(size, 2), nn.ReLU())
        self.mixed = nn.Sequential(nn.Linear(2, 2), nn.Embedding(size, 2))
        self.register_buffer("steps", torch.arange(size).float())  # expect: TL201
        self.register_buffer("scale", torch.arange(2).float())  # ok: TL201

    def forward(self, x):
        return self.table(self.steps).sum() + x

    def mix(self, x):
        return self.mixed[0](self.scale)


def in_a_local(size: int):
    table = nn.Embedding(size, 2)
    steps = torch.linspace(0, 1, size)  # expect: TL201
    return table(steps)


def pretrained(weight: torch.Tensor, x: torch.Tensor):
    table = nn.Embedding.from_pretrained(weight)
    return table(x.float())  # expect: TL201


def in_a_closure(size: int):
    table = nn.Embedding(size, 2)

    def look_up(ids):
        return table(ids.to(torch.float32))  # expect: TL201

    return look_up


def at_once(x: torch.Tensor):
    return nn.Embedding(4, 2)(x.round().double())  # expect: TL201


def right(size: int, x: torch.Tensor):
    table = nn.Embedding(size, 2)
    first = table(torch.arange(size))  # ok: TL201
    second = nn.Linear(2, 2)(x.float())  # ok: TL201
    third = nn.Embedding.from_pretrained(torch.zeros(size, 2))(x.long()[0])  # ok: TL201
    return first + second.sum() + third.sum()


def unknown(table, x: torch.Tensor):
    return table(x.float())  # ok: TL201


def demonstrate():
    x = torch.zeros(2, 2)
    for call in (
        lambda: Tokens(2)(x),
        lambda: in_a_local(2),
        lambda: pretrained(x, x[0]),
        lambda: in_a_closure(2)(x),
        lambda: at_once(x),
    ):
        try:
            call()
        except RuntimeError:
            continue
        raise AssertionError("floating ids were accepted")
    assert Tokens(2).mix(x).shape == (2,)
    assert right(2, x).shape == (2, 2)
    assert unknown(nn.Linear(2, 2), x).shape == (2, 2)
