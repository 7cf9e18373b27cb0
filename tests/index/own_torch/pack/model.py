"""Inside the package: the relative import is the look-alike, the absolute one is torch."""
import torch
from torch import nn as real

from .torch import nn


class Alike(nn.Module):  # class: plain
    pass


class AlikeLayer(nn.Linear):  # class: plain
    pass


class Real(real.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))


class RealDotted(torch.nn.Linear):  # class: module; parameters weight, bias
    def __init__(self):
        super().__init__(2, 2)
