import torch
from torch import nn


class Base(nn.Module):  # class: module
    def add_table(self, name, size):
        self.register_buffer(name, torch.zeros(size))

    def buffer(self, **tensors):
        for name, value in tensors.items():
            self.register_buffer(name, value, persistent=False)

    def learn(self, name):
        setattr(self, name, nn.Parameter(torch.zeros(1)))


class Registry(nn.Module):  # class: module; plain plugins
    def __init__(self):
        super().__init__()
        self.plugins = {}

    def register_plugin(self, name, value):
        self.plugins[name] = value
