import torch
from torch import nn


def register_tables(module, size):
    module.register_buffer("sine", torch.zeros(size))
    module.register_buffer("cosine", torch.zeros(size))


def register_named(module, name, value):
    module.register_buffer(name, value)


def fill(target):
    register_tables(target, 2)
    register_named(target, "outer", torch.zeros(1))
    target.gain = nn.Parameter(torch.zeros(1))
    target.note = "filled"


def describe(module):
    other = nn.Module()
    other.register_buffer("table", torch.zeros(1))
    return f"{module} {other}"


class Tools:  # class: plain
    @staticmethod
    def register(module):
        module.register_buffer("table", torch.zeros(1))
