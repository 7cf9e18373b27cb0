"""A base class passes the names of nested layers to a step that subclasses write."""

import torch
from torch import nn


class Watch(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net
        for name, layer in net.named_modules():
            if isinstance(layer, nn.Linear):
                self.prepared(name)
        for number in range(2):
            self.counted(number)

    def prepared(self, name):
        raise NotImplementedError

    def counted(self, name):
        self.register_buffer(f"count_{name}", torch.zeros(()))  # ok: TL107  numbers

    def forward(self, x):
        return self.net(x)


class Dotted(Watch):
    def prepared(self, name):
        self.register_buffer(f"top_{name}", torch.zeros(()))  # expect: TL107


class Flat(Watch):
    def prepared(self, name):
        self.register_buffer("top_" + name.replace(".", "_"), torch.zeros(()))  # ok: TL107


class Shallow(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        for name, _ in net.named_children():
            self.kept(name)

    def kept(self, name):
        self.register_buffer(f"top_{name}", torch.zeros(()))  # ok: TL107  one level has no dots


def demonstrate():
    net = nn.Sequential(nn.Sequential(nn.Linear(2, 2)))
    for kind in (Watch, Dotted):
        try:
            kind(net)
            raise AssertionError("a name with dots was taken")
        except (KeyError, NotImplementedError):
            pass
    Flat(net), Shallow(net)
