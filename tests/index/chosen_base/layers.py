import torch
from torch import nn


class Fast(nn.Module):  # class: module; buffers fast
    def __init__(self):
        super().__init__()
        self.register_buffer("fast", torch.zeros(2))


class Slow(nn.Module):  # class: module; buffers slow
    def __init__(self):
        super().__init__()
        self.register_buffer("slow", torch.zeros(2))


class Plain:  # class: plain
    pass
