import torch
from torch import nn


class Base(nn.Module):  # class: module; buffers more
    def __init__(self):
        super().__init__()
        self.register_buffer("more", torch.zeros(2))
