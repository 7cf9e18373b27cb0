"""A base in another file, which drops a cache when the mode changes."""

import torch
from torch import nn


class Cached(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.width = width
        self.cache = None
        self.register_buffer("steps", torch.arange(width), persistent=False)

    def train(self, mode: bool = True):
        self.cache = None
        return super().train(mode)
