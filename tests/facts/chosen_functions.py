"""Functions that a name, a table or a branch chooses: what a call gives is what all of them agree on."""
import torch
from torch import nn

WINDOWS = {"hann": torch.hann_window, "hamming": torch.hamming_window}


def twice(x):
    return x * 2


def by_name(kind: str, size: int, window="hann_window", act="relu"):
    getattr(torch, window)(size)  # fact: tensor float32
    getattr(torch, f"{kind}_window")(size)  # fact: tensor float32
    getattr(torch, kind + "_window")(size)  # fact: tensor float32
    getattr(torch.signal.windows, "hann" if size else "cosine")(size)  # fact: tensor float32
    getattr(torch.nn.functional, act)(torch.zeros(size))  # fact: unknown dtype ?  another may give a pair
    return getattr(torch, "zeros")(size)  # fact: tensor float32


def by_default(size: int, make=torch.zeros, other=len):
    make(size)  # fact: tensor float32
    return other([size])  # fact: unknown dtype ?


def by_any_name(name: str, size: int):
    return getattr(torch, name)(size)  # fact: unknown dtype ?


def by_open_table(kind: str, size: int, other):
    {"hann": torch.zeros, "other": other}[kind](size)  # fact: unknown dtype ?
    {"hann": torch.zeros, "size": len}[kind](size)  # fact: unknown dtype ?
    other[kind](size)  # fact: unknown dtype ?
    return getattr(other, kind, None)  # fact: unknown dtype ?


def by_table(kind: str, size: int):
    WINDOWS[kind](size)  # fact: tensor float32
    WINDOWS.get(kind, torch.ones)(size)  # fact: tensor float32
    {"sum": torch.sum, "mean": torch.mean}["sum"](torch.zeros(size))  # fact: tensor float32
    {"hann": twice, "half": torch.Tensor.half}[kind](torch.zeros(size))  # fact: tensor floating
    {"hann": torch.zeros(1), "other": torch.zeros}[kind]  # fact: unknown dtype ?
    fill = torch.zeros if size else torch.arange
    return fill(size)  # fact: tensor dtype ?


class Chained(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(2, 2))
        self.open = nn.Sequential(*layers)
        self.deep = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Linear(2, 2), nn.LayerNorm(2)))
        self.rnn = nn.Sequential(nn.Linear(2, 2), nn.GRU(2, 2))

    def forward(self, x):
        self.body(x)  # fact: tensor floating
        self.deep(x)  # fact: tensor floating
        self.open(x)  # fact: unknown dtype ?
        return self.rnn(x)  # fact: container of tensor floating


def demo():
    by_name("hann", 4)
    by_any_name("zeros", 4)
    by_default(4)
    by_open_table("hann", 4, WINDOWS)
    by_table("hann", 4)
    Chained([nn.ReLU()])(torch.zeros(1, 2))
