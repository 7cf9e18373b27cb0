import torch
from torch import nn


class Listed(nn.Module):  # class: module; buffers listed
    def __init__(self):
        super().__init__()
        self.register_buffer("listed", torch.zeros(2))


class _Private(nn.Module):  # class: module
    pass


class Added(nn.Module):  # class: module
    pass


class Extended(nn.Module):  # class: module
    pass


class Left(nn.Module):  # class: module
    pass
