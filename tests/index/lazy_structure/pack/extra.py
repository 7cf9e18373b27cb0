import torch
from torch import nn


class Extra(nn.Module):  # class: module; buffers extra
    def __init__(self):
        super().__init__()
        self.register_buffer("extra", torch.zeros(2))


class Late(nn.Module):  # class: module
    pass
