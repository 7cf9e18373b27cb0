import torch
from torch import nn


def make_base(kind):
    class Made(nn.Module):  # class: module; buffers table
        def __init__(self):
            super().__init__()
            self.register_buffer("table", torch.zeros(2))
            self.kind = kind

    return Made


def make_plain(kind):
    class Made:  # class: plain
        def __init__(self):
            self.kind = kind

    return Made


def wrap(base):
    class Wrapped(base):  # class: unknown
        def __init__(self, *args):
            super().__init__(*args)
            self.register_buffer("steps", torch.zeros(1))

    return Wrapped


def pick(kind):
    if kind == "module":
        return nn.Module
    return object


PlainBase = make_plain("mean")
