import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers outer
    def __init__(self):
        super().__init__()
        self.register_buffer("outer", torch.zeros(2))
