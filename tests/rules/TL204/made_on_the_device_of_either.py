"""What is made on the device of a value lies beside it on every branch, also where the value may have been made here."""
import torch
from torch import nn


def angles(position, dim: int):
    if isinstance(position, int):
        position = torch.arange(position)  # ok: TL204
    steps = 1.0 / 10000 ** (torch.arange(0, dim, 2, device=position.device) / dim)
    return torch.outer(position, steps)


def angles_on_the_cpu(position, dim: int, like: torch.Tensor):
    if isinstance(position, int):
        position = torch.arange(position)  # expect: TL204
    steps = 1.0 / 10000 ** (torch.arange(0, dim, 2, device=like.device) / dim)
    return torch.outer(position, steps)


class Rotary(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.lin = nn.Linear(dim, dim)

    def forward(self, x, places):
        tables = [angles(places[:, axis], self.dim) for axis in range(places.shape[-1])]
        return self.lin(x) @ torch.cat(tables, 1).T


class Turned(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.dim = dim
        self.lin = nn.Linear(dim, dim)

    def forward(self, x, positions=None):
        return angles_on_the_cpu(x.shape[0] if positions is None else positions, self.dim, x) @ self.lin(x)[:, :2].T


def demonstrate():
    assert angles(3, 4).shape == angles(torch.ones(3), 4).shape == (3, 2)
    assert Rotary()(torch.ones(2, 4), torch.ones(2, 2)).shape == (2, 2)
    try:
        Turned().to("meta")(torch.ones(2, 4, device="meta"))
        raise AssertionError("a CPU tensor met one of another device")
    except RuntimeError:
        pass
