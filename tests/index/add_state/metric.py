import torch
from torch import Tensor, nn


class Metric(nn.Module):  # class: module; plain _defaults
    def __init__(self):
        super().__init__()
        self._defaults = {}

    def add_state(self, name, default, dist_reduce_fx=None):
        if isinstance(default, Tensor):
            self.register_buffer(name, default)
        else:
            setattr(self, name, default)
        self._defaults[name] = default


class Tracker:  # class: plain
    def __init__(self):
        self.states = {}

    def add_state(self, name, default):
        self.states[name] = default
