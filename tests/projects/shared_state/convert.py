"""The program that converts the model."""

import torch
from model import Decoder


def build(dim: int):
    model = Decoder(dim)
    return model.to(dtype=torch.bfloat16)
