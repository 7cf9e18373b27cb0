"""first -> second -> first: at the bottom, where what the other needs is there."""
import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))


class Plain:  # class: plain
    pass


from .second import Child, PlainChild


class Grandchild(Child):  # class: module; buffers table, own
    pass


class PlainGrandchild(PlainChild):  # class: plain
    pass
