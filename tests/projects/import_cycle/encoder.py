"""Imports the file that imports it."""
import decoder
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.build(dim)

    def build(self, dim: int) -> None:
        raise NotImplementedError

    def forward(self, x):
        return x + self.shift


def decoded(x):
    return decoder.Decoder()(x)


class Encoder(Block):
    def build(self, dim):
        self.register_buffer("shift", torch.ones(dim))  # ok: TL101
