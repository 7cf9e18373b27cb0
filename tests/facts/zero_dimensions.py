"""Which tensors have no dimensions: numbers, full reductions, elements; and which are on the CPU."""
import torch
from torch import nn


def single(x: torch.Tensor, y: torch.Tensor, size, anything):
    torch.tensor(1.0)  # fact: tensor float32 0-dim on cpu
    torch.tensor(1.0, device="cpu")  # fact: tensor float32 0-dim
    torch.zeros(())  # fact: tensor float32 0-dim
    torch.zeros([])  # fact: tensor float32 0-dim
    nn.Parameter(torch.tensor(1.0))  # fact: parameter float32 0-dim
    torch.tensor(1.0).half()  # fact: tensor float16 0-dim on cpu
    torch.tensor(1.0) * 2  # fact: tensor float32 0-dim
    x.sum()  # fact: tensor 0-dim
    torch.sum(x)  # fact: tensor 0-dim
    x.max()  # fact: tensor 0-dim
    x.argmax()  # fact: tensor int64 0-dim
    return torch.tensor(1.0) > 0  # fact: tensor bool 0-dim


def several(x: torch.Tensor, y: torch.Tensor, size, anything):
    a = torch.tensor([1.0])  # fact: tensor float32 1-dim
    a = torch.tensor(anything)  # fact: tensor dtype ? dim ?
    a = torch.zeros(size)  # fact: tensor dim ?
    a = torch.zeros(*size)  # fact: tensor dim ?
    a = torch.zeros(0)  # fact: tensor 1-dim
    a = x.sum(0)  # fact: tensor dim ?
    a = x.sum(dim=0)  # fact: tensor dim ?
    a = x.sum(dim=anything)  # fact: tensor dim ?
    a = torch.max(x, y)  # fact: tensor dim ?
    a = torch.sum(x, anything)  # fact: tensor dim ?
    a = x.max(y)  # fact: tensor dim ?
    a = torch.tensor(1.0)[None]  # fact: tensor 1-dim
    a = torch.tensor(1.0).unsqueeze(0)  # fact: tensor 1-dim
    a = torch.tensor(1.0) * x  # fact: tensor dim ?
    a = torch.tensor(1.0).expand(3)  # fact: tensor dim ?
    a = x[0]  # fact: tensor dim ?
    return x.squeeze()  # fact: tensor dim ?


def demo():
    x = torch.ones(2)
    single(x, x, (2,), 0)
    several(x, x, (2,), 0)
