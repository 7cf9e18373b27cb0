import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers top
    def __init__(self):
        super().__init__()
        self.build()

    def build(self):
        self.register_buffer("top", torch.zeros(1))
