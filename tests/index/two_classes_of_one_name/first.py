"""Head is a module here and plain in second.py."""
import torch
from torch import nn


class Head(nn.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))


class Neck(Head):  # class: module; buffers table
    pass
