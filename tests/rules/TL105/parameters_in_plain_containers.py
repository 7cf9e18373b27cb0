"""Parameters in a plain container never reach the optimizer."""
import torch
from torch import nn


def start(dim: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(dim))


class Plain(nn.Module):
    def __init__(self, dim: int = 3, count: int = 2):
        super().__init__()
        self.scales = [nn.Parameter(torch.ones(dim)) for _ in range(count)]  # expect: TL105
        self.shifts = {str(i): start(dim) for i in range(count)}  # expect: TL105
        self.pairs = []  # expect: TL105
        for i in range(count):
            self.pairs.append((f"pair{i}", nn.Parameter(torch.ones(dim))))

    def forward(self, x):
        for scale in self.scales:
            x = x * scale
        for _, pair in self.pairs:
            x = x * pair
        return x + self.shifts["0"]


class Listed(nn.Module):
    def __init__(self, dim: int = 3, count: int = 2):
        super().__init__()
        self.scales = nn.ParameterList(nn.Parameter(torch.ones(dim)) for _ in range(count))  # ok: TL105
        self.layer = nn.Linear(dim, dim)
        self.all = list(self.parameters())  # ok: TL105  a second way to what is registered
        self.weights = [self.layer.weight, self.layer.bias]  # ok: TL105
        self.extra = []  # ok: TL105
        for i in range(count):
            parameter = nn.Parameter(torch.ones(dim))
            self.register_parameter(f"extra{i}", parameter)
            self.extra.append(parameter)

    def forward(self, x):
        for scale in (*self.scales, *self.extra):
            x = x * scale
        return x @ self.weights[0] + self.weights[1] + sum(p.sum() for p in self.all)


def demonstrate():
    plain, listed = Plain().double(), Listed().double()
    assert not list(plain.parameters()) and not plain.state_dict()
    assert plain.scales[0].dtype == torch.float32
    assert len(list(listed.parameters())) == 2 + 2 + 2
    assert all(parameter.dtype == torch.float64 for parameter in (*listed.all, *listed.extra, *listed.weights))
