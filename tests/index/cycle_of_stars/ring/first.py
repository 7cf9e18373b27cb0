"""Two files that take everything from each other."""
import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))


from .second import *


class Grandchild(Child):  # class: module; buffers table
    pass


class PlainGrandchild(PlainChild):  # class: plain
    pass
