import torch
from torch import nn


class Registering(nn.Module):  # class: module
    def __setattr__(self, name, value):
        if isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter):
            self.register_buffer(name, value)
        else:
            super().__setattr__(name, value)


class Quiet(nn.Module):  # class: module
    def register_buffer(self, name, tensor, persistent=True):
        self.__dict__[name] = tensor
