"""A class may override the method and return what it registered; an override that returns nothing changes nothing."""
import torch
from torch import nn


class Returning(nn.Module):
    def register_buffer(self, name, tensor, persistent=True):
        super().register_buffer(name, tensor, persistent)
        return tensor


class Silent(nn.Module):
    def register_buffer(self, name, tensor, persistent=True):
        super().register_buffer(name, tensor, persistent=False)


class Kept(Returning):
    def __init__(self):
        super().__init__()
        self.table = self.register_buffer("table", torch.ones(3))  # ok: TL115

    def forward(self, x):
        return x * self.table


class Registry:
    def register_module(self, name, value):
        return value


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.registry = Registry()
        self.width = self.registry.register_module("width", 3)  # ok: TL115  an object of another kind


class Emptied(Silent):
    def __init__(self):
        super().__init__()
        self.table = self.register_buffer("table", torch.ones(3))  # expect: TL115


def demonstrate():
    assert Emptied().table is None
    assert Kept()(torch.ones(3)).shape == (3,) and Plain().width == 3
