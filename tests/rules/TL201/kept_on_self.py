"""A buffer or attribute of the module indexes: its dtype was decided in the constructor."""
import torch
from torch import nn


class Ordered(nn.Module):
    def __init__(self, order: list[int]):
        super().__init__()
        self.register_buffer("order", torch.Tensor(order))  # expect: TL201  # note: TL202
        self.register_buffer("kept", torch.tensor(order))  # ok: TL201
        self.register_buffer("scale", torch.ones(len(order)))  # ok: TL201  no index

    def forward(self, x):
        return x[self.order] * self.scale

    def backwards(self, x):
        return x[self.kept.flip(0)] * self.scale


class Looked(nn.Module):
    """A Parameter as a key of a dict of per-parameter state is no index of a tensor."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))  # ok: TL201

    def forward(self, state):
        return state[self.weight]


def demonstrate():
    x = torch.ones(2)
    assert Ordered([0, 1]).backwards(x).shape == (2,)
    try:
        Ordered([0, 1])(x)
        raise AssertionError("floating indices were accepted")
    except IndexError:
        pass
    module = Looked()
    assert module({module.weight: 1}) == 1
