"""The dtype of new tensors: factories, Python data, _like and new_ methods, the legacy constructors."""
import math

import numpy as np
import torch


def factories(size, dtype, kwargs, x: torch.Tensor):
    torch.zeros(2)  # fact: tensor float32 on cpu detached from nothing
    torch.rand(2, 3)  # fact: tensor float32
    torch.eye(3)  # fact: tensor float32
    torch.linspace(0, 1, 5)  # fact: tensor float32
    torch.zeros(2, dtype=torch.half)  # fact: tensor float16
    torch.zeros(size, dtype=dtype)  # fact: tensor dtype ?
    torch.zeros(size, dtype=None)  # fact: tensor float32
    torch.zeros(size, **kwargs)  # todo: tensor dtype ?  ** may bring a dtype
    torch.zeros(2, dtype=x.dtype)  # fact: tensor dtype ?
    torch.zeros(2, device=x.device)  # fact: tensor float32
    torch.zeros(())  # fact: tensor float32 0-dim
    torch.randperm(3)  # fact: tensor int64
    torch.randint(0, 3, (2,))  # fact: tensor int64
    torch.randint(0, 3, (2,), dtype=torch.float32)  # fact: tensor float32
    torch.tril_indices(3, 3)  # fact: tensor int64
    torch.hann_window(3)  # fact: tensor float32
    torch.arange(3)  # fact: tensor int64
    torch.arange(0, 3)  # fact: tensor int64
    torch.arange(0, 1, 0.1)  # fact: tensor float32
    torch.arange(3, dtype=torch.float32)  # fact: tensor float32
    torch.arange(len(x))  # fact: tensor int64
    torch.arange(size)  # fact: tensor int64
    torch.arange(0, size)  # fact: tensor int64
    torch.arange(x.shape[0])  # fact: tensor int64
    torch.arange(size // 2)  # fact: tensor int64
    torch.arange(0, size, size)  # fact: tensor dtype ?
    torch.arange(0, step=size, end=1)  # fact: tensor dtype ?
    torch.arange(0, 4, dtype=dtype)  # fact: tensor dtype ?
    torch.full((2,), size)  # fact: tensor dtype ?
    torch.full((2,), 1)  # fact: tensor int64
    torch.full((2,), 1.0)  # fact: tensor float32
    torch.full((2,), True)  # fact: tensor bool
    torch.full((2,), size)  # fact: tensor dtype ?
    torch.full((2,), float("-inf"))  # fact: tensor float32
    return torch.full((2,), math.pi)  # fact: tensor float32


def python_data(anything, x: torch.Tensor, array: np.ndarray):
    torch.tensor([])  # fact: tensor float32
    torch.tensor(1)  # fact: tensor int64 0-dim
    torch.tensor(1.0)  # fact: tensor float32 0-dim
    torch.tensor(True)  # fact: tensor bool 0-dim
    torch.tensor(1j)  # fact: tensor complex64
    torch.tensor([1, 2.0])  # fact: tensor float32
    torch.tensor([[1, 2], [3, 4]])  # fact: tensor int64
    torch.tensor([True, 2])  # fact: tensor int64
    torch.tensor((1, 2), dtype=torch.float64)  # fact: tensor float64
    torch.tensor([1, anything])  # fact: tensor dtype ?
    torch.tensor(anything)  # fact: tensor dtype ?
    torch.tensor(array)  # fact: tensor dtype ?
    torch.tensor(x.shape)  # fact: tensor int64
    torch.tensor(x.half())  # fact: tensor float16
    torch.tensor(len(x))  # fact: tensor int64
    torch.tensor(range(3))  # fact: tensor int64
    torch.tensor(list(range(3)))  # fact: tensor int64
    torch.tensor(x.item())  # fact: tensor dtype ?
    torch.as_tensor([1.0])  # fact: tensor float32
    torch.as_tensor(anything)  # fact: tensor dtype ?
    torch.as_tensor([anything])  # fact: tensor dtype ?
    torch.from_numpy(array)  # fact: tensor dtype ?
    torch.from_numpy(np.zeros(2))  # fact: tensor float64
    torch.Tensor([1])  # fact: tensor float32
    torch.Tensor(2, 3)  # fact: tensor float32
    torch.Tensor(anything)  # fact: tensor float32
    torch.FloatTensor([1])  # fact: tensor float32
    torch.LongTensor([1])  # fact: tensor int64
    torch.BoolTensor([True])  # fact: tensor bool
    torch.HalfTensor([1])  # fact: tensor float16
    torch.asarray([1])  # fact: tensor int64
    torch.scalar_tensor(3)  # fact: tensor float32
    return torch.stack([torch.tensor(1), torch.tensor(2)])  # fact: tensor int64


def like(x: torch.Tensor, dtype, anything):
    torch.zeros_like(x)  # fact: tensor dtype ?
    torch.zeros_like(x.half())  # fact: tensor float16
    torch.zeros_like(x, dtype=torch.int64)  # fact: tensor int64
    torch.zeros_like(x.half(), dtype=dtype)  # fact: tensor dtype ?
    torch.full_like(x.half(), 1)  # fact: tensor float16
    torch.rand_like(anything)  # fact: tensor dtype ?
    torch.ones_like(anything, dtype=torch.bool)  # fact: tensor bool
    x.new_zeros(3)  # fact: tensor dtype ?
    x.long().new_zeros(3)  # fact: tensor int64
    x.new_ones(3, dtype=torch.bool)  # fact: tensor bool
    x.half().new_tensor([1])  # fact: tensor float16
    x.half().new_full((2,), 3)  # fact: tensor float16
    x.new_full((2,), 3)  # fact: tensor dtype ?
    x.new_tensor([1])  # fact: tensor dtype ?
    torch.full_like(x, 1)  # fact: tensor dtype ?
    torch.full_like(anything, 1)  # fact: tensor dtype ?
    torch.zeros_like(anything)  # fact: tensor dtype ?
    torch.randint_like(x, 3)  # fact: tensor dtype ?
    torch.ones_like(x, dtype=x.dtype)  # fact: tensor dtype ?
    torch.empty(2, dtype=anything.dtype)  # fact: tensor dtype ?
    torch.tensor([anything, 1.0])  # fact: tensor dtype ?
    torch.tensor([float(anything)])  # fact: tensor float32
    torch.tensor(anything + 1)  # fact: tensor dtype ?
    torch.Tensor(x)  # fact: tensor dtype ?
    anything.new_zeros(3)  # fact: tensor dtype ?
    anything.new_zeros(3, dtype=torch.int64)  # fact: tensor int64
    torch.empty_like(x).normal_()  # fact: tensor dtype ?
    return torch.empty(2).fill_(3)  # fact: tensor float32


def demo():
    x = torch.ones(1)
    factories(3, torch.float64, {"dtype": torch.int64}, x)
    python_data(3, x, np.zeros(2))
    like(x, torch.float64, x)
