from typing import Generic, TypeVar

import torch
from torch import nn

T = TypeVar("T")


class Layer(nn.Module, Generic[T]):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))
