"""Which tensors are on the CPU because a factory made them there, and NumPy's dtypes on their way into torch."""
import numpy as np
import torch
from torch import nn


def made(x: torch.Tensor, size: int):
    torch.zeros(size)  # fact: tensor float32 on cpu
    torch.arange(size).unsqueeze(0).float()  # fact: tensor float32 on cpu
    torch.zeros(size) * 2 + torch.ones(size)  # fact: tensor float32 on cpu
    torch.cat([torch.zeros(size), torch.ones(size)])  # fact: tensor float32 on cpu
    torch.zeros(size, device="cpu")  # fact: tensor float32
    torch.zeros(size)[None, :]  # fact: tensor float32 on cpu
    torch.from_numpy(np.ones(size))  # fact: tensor float64 on cpu
    torch.zeros(size) + x  # fact: tensor dtype ?
    torch.zeros(size).to(x)  # fact: tensor dtype ?
    torch.zeros(size).type_as(x)  # fact: tensor dtype ?
    x.new_zeros(size)  # fact: tensor dtype ?


def arrays(x: torch.Tensor, rows: list, table: np.ndarray):
    torch.from_numpy(np.random.rand(3))  # fact: tensor float64
    torch.from_numpy(np.random.default_rng(0).normal(size=3))  # fact: tensor float64
    torch.from_numpy(np.random.randint(0, 3, 3))  # fact: tensor int64
    torch.from_numpy(np.linspace(0, 1, 3))  # fact: tensor float64
    torch.from_numpy(np.linspace(0, 1, 3, dtype="float32"))  # fact: tensor float32
    torch.from_numpy(np.zeros(3, np.float32))  # fact: tensor float32
    torch.from_numpy(np.arange(3))  # fact: tensor int64
    torch.from_numpy(np.arange(3) / 2)  # fact: tensor float64
    torch.from_numpy(np.arange(3) * 2)  # fact: tensor int64
    torch.from_numpy(np.arange(3) * 2.0)  # fact: tensor float64
    torch.from_numpy(np.ones(3, dtype=np.float32) / 3)  # fact: tensor float32
    torch.from_numpy(np.ones(3, dtype=np.float32) / np.arange(1, 4))  # fact: tensor float64
    torch.from_numpy(np.sqrt(np.arange(3)))  # fact: tensor float64
    torch.from_numpy(np.sqrt(np.ones(3, dtype=np.float32)))  # fact: tensor float32
    torch.from_numpy(np.array([1, 2]))  # fact: tensor int64
    torch.from_numpy(np.array([1.0, 2.0]))  # fact: tensor float64
    torch.from_numpy(np.vstack([np.ones((1, 3)), np.ones((1, 3))]))  # fact: tensor float64
    torch.from_numpy(np.ones(3).astype("float32"))  # fact: tensor float32
    torch.from_numpy(np.ones(3).astype(int))  # fact: tensor int64
    torch.from_numpy(np.ones(3) > 0)  # fact: tensor bool
    torch.from_numpy(np.bincount(np.arange(3)))  # fact: tensor int64
    torch.from_numpy(np.where(np.arange(3) > 1, 1.0, 2.0))  # fact: tensor float64
    torch.tensor(np.random.rand(3))  # fact: tensor float64
    torch.tensor(np.float64(2))  # fact: tensor float64
    torch.tensor([np.float64(2), np.float64(3)])  # fact: tensor float64
    torch.tensor(np.ones(3).tolist())  # fact: tensor float32
    torch.FloatTensor(np.ones(3))  # fact: tensor float32
    torch.from_numpy(x.half().numpy())  # fact: tensor float16
    torch.from_numpy(np.sqrt(table))  # fact: tensor dtype ?
    torch.from_numpy(np.mean(table, axis=0))  # fact: tensor dtype ?
    torch.from_numpy(table * 2)  # fact: tensor dtype ?
    torch.from_numpy(table.astype(table.dtype))  # fact: tensor dtype ?
    torch.from_numpy(np.concatenate([table, table]))  # fact: tensor dtype ?
    torch.from_numpy(np.zeros(3, table.dtype))  # fact: tensor dtype ?
    torch.from_numpy(np.bincount(np.arange(3), table[0]))  # fact: tensor dtype ?
    torch.tensor(table.tolist())  # fact: tensor dtype ?
    torch.from_numpy(table.T)  # fact: tensor dtype ?
    torch.from_numpy(x.numpy())  # fact: tensor dtype ?
    torch.from_numpy(x.numpy() / 2)  # fact: tensor dtype ?
    torch.from_numpy(table[0])  # fact: tensor dtype ?
    torch.from_numpy(table.T)  # fact: tensor dtype ?
    torch.from_numpy(table)  # fact: tensor dtype ?
    torch.from_numpy(table / 255)  # fact: tensor dtype ?
    torch.from_numpy(np.array(rows))  # fact: tensor dtype ?
    torch.from_numpy(np.array(rows) / 2)  # fact: tensor float64


class Moved(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.register_buffer("table", torch.zeros(size))

    def forward(self, x: torch.Tensor, size: int):
        torch.ones(size).to(x.device)  # fact: tensor float32
        torch.ones(size) * self.table  # fact: tensor float32
        return self.table  # fact: buffer float32
