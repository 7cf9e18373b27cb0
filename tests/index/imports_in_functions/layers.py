import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))


class Other(nn.Module):  # class: module; buffers other
    def __init__(self):
        super().__init__()
        self.register_buffer("other", torch.zeros(2))
