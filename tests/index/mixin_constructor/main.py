"""Constructors of mixins: one that goes on to the module and registers, one that only registers afterwards."""
import torch
from mixins import Cooperative, Named
from torch import nn


class Model(Cooperative, nn.Module):  # class: module; buffers history
    pass


class Named2(Named, nn.Module):  # class: module; buffers table; plain name
    def __init__(self):
        nn.Module.__init__(self)
        Named.__init__(self, "two")
        self.register_buffer("table", torch.zeros(1))


class Options(Named):  # class: plain
    def __init__(self):
        super().__init__("options")
