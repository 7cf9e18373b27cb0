import torch
import torch.nn as layers


class Base(layers.Module):  # class: module; buffers table
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))
