import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers default, size
    def __init__(self):
        super().__init__()
        self.register_buffer("size", torch.zeros(1))
        self.build()

    def build(self):
        self.register_buffer("default", torch.zeros(1))
