import torch
from torch import nn


def learned(size):
    return nn.Parameter(torch.zeros(size))


def table(size):
    return torch.zeros(size)
