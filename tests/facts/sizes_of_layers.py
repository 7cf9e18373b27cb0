"""Layers keep the sizes that they were made with: numbers, and tuples of numbers in convolutions."""
import torch
from torch import nn


class Other(nn.Module):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups
        self.kernel_size = groups


def sizes(width: int, anything):
    linear = nn.Linear(width, 3)
    torch.tensor(linear.in_features)  # fact: tensor int64 0-dim
    torch.tensor(linear.out_features / 2)  # fact: tensor float32 0-dim
    torch.tensor(nn.Embedding(4, width).embedding_dim)  # fact: tensor int64 0-dim
    torch.tensor(nn.LSTM(width, 3).hidden_size)  # fact: tensor int64 0-dim
    torch.tensor(linear.anything)  # fact: tensor dtype ? dim ?
    conv = nn.Conv1d(4, 4, width, anything)
    torch.tensor(conv.kernel_size[0])  # fact: tensor int64 0-dim
    torch.tensor((conv.kernel_size[0] - 1) * 2 + 1)  # fact: tensor int64 0-dim
    torch.tensor(conv.stride[0]) // 2  # fact: tensor int64 0-dim
    torch.tensor(conv.padding)  # fact: tensor dtype ? dim ?
    torch.tensor(nn.MaxPool1d(width, anything).stride)  # fact: tensor dtype ? dim ?
    other = Other(anything)
    torch.tensor(other.groups)  # fact: tensor dtype ? dim ?
    torch.tensor(other.kernel_size)  # fact: tensor dtype ? dim ?
    return torch.tensor(anything.in_features)  # fact: tensor dtype ? dim ?
