"""Import forms inside one file: aliases, imports inside functions, try/except imports, shadowed names."""
import numpy as np
import torch
import torch as th
import torch.nn.functional as F
from torch import nn as N
from torch import zeros as make
from torch.nn import *
from torch.nn import Linear as Dense
from torch.nn import Parameter
import torch.utils.checkpoint
import os.path, math as maths

try:
    from torch import ones as filled
except ImportError:
    filled = None

try:
    import torch.utils.data
except ImportError:
    pass

try:
    import not_installed
    from not_installed import Layer
except ImportError:
    not_installed = None
    Layer = None

if torch.cuda.is_available():
    chosen = torch.zeros
else:
    chosen = torch.arange

half = torch.float16
zeros = th.zeros


def written(x: th.Tensor, anything):
    th.zeros(2)  # fact: tensor float32 made by torch.zeros
    torch.zeros(2)  # fact: tensor float32 made by torch.zeros
    make(2)  # fact: tensor float32 made by torch.zeros
    zeros(2)  # fact: tensor float32 made by torch.zeros
    filled(2)  # fact: tensor float32 made by torch.ones
    N.Linear(2, 2)  # fact: module made by torch.nn.Linear
    Dense(2, 2)  # fact: module made by torch.nn.Linear
    Parameter(th.zeros(2))  # fact: parameter float32
    F.one_hot(th.arange(3))  # fact: tensor int64
    F.relu(x)  # fact: tensor dtype ? from x
    N.functional.one_hot(th.arange(3))  # fact: tensor int64
    th.zeros(2, dtype=half)  # fact: tensor float16
    np.zeros(2)  # fact: array
    maths.sqrt(2)  # fact: number floating
    th.nn.functional.softmax  # fact: callable made by torch.nn.functional.softmax
    th.float16  # fact: other float16
    th.utils.checkpoint  # todo: unknown dtype ?  an imported name need not be callable
    th.pi  # fact: number floating
    Scale.forward  # fact: callable
    Conv2d(1, 1, 1)  # fact: module made by torch.nn.Conv2d
    os.path.join("a")  # fact: unknown dtype ?
    not_installed.make(x)  # fact: unknown dtype ? from x
    Layer(x)  # fact: unknown dtype ?
    chosen(2)  # todo: unknown dtype ?  a name that a condition chooses has more than its first meaning
    never_defined(x)  # fact: unknown dtype ?
    return F.not_a_function(x)  # fact: unknown dtype ?


def imported_inside(x, name: str):
    from torch import arange
    import torch.nn as layers

    arange(3)  # fact: tensor int64
    layers.ReLU()  # fact: module made by torch.nn.ReLU
    __import__("torch").zeros(2)  # fact: unknown dtype ?
    module = __import__(name)
    return module.zeros(2)  # fact: unknown dtype ?


def shadowed(torch, make, half):
    torch.zeros(2)  # fact: unknown dtype ?
    make(2)  # fact: unknown dtype ?
    F = th.Tensor
    F.one_hot(2)  # fact: unknown dtype ?
    th = 3
    th.zeros(2)  # fact: unknown dtype ?
    len = make
    len(2)  # fact: unknown dtype ?
    for N in half:
        N.Linear(2)  # fact: unknown dtype ?
    return half  # fact: unknown dtype ?


def zeros_of(zeros):
    return zeros(2)  # fact: unknown dtype ?


def max(x):
    return "mine"


def own_name_of_a_builtin(x):
    max(1)  # fact: other
    return min(1, 2)  # fact: number integral


class Scale(N.Module):
    def forward(self, x):
        return x


class Anything:
    def __init__(self, *arguments):
        pass

    def __getattr__(self, name):
        return lambda *arguments: name


def demo():
    global not_installed, Layer, never_defined
    not_installed, Layer = Anything(), Anything
    never_defined = F.not_a_function = Anything
    written(th.ones(2), 1)
    imported_inside(th.ones(2), "torch")
    own_name_of_a_builtin(1)
