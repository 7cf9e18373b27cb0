"""Outside the package `torch` is torch, and what the package calls torch is not."""
import torch
from pack import torch as theirs
from torch import nn


class Real(nn.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))


class Theirs(theirs.nn.Module):  # class: plain
    pass
