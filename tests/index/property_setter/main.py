"""Assignments that run a setter of the base, which registers under another name."""
import torch
from base import Scaled
from torch import nn


class Model(Scaled):  # class: module; buffers _scale
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(2)


class NeverSet(Scaled):  # class: module; buffers _scale?
    pass


class WithoutSetter(nn.Module):  # class: module; plain scale
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(2)
