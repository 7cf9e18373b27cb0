"""A Parameter around reserved memory needs an initialiser somewhere."""
import math

import torch
from torch import nn
from torch.nn import Parameter


class Never(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.weight = nn.Parameter(torch.FloatTensor(rows, columns))  # expect: TL202
        self.bias = Parameter(torch.Tensor(columns), requires_grad=True)  # expect: TL202
        self.weights = nn.ParameterList([nn.Parameter(torch.Tensor(rows, rows)) for _ in range(2)])  # expect: TL202
        self.register_parameter("scale", Parameter(torch.Tensor(1)))  # expect: TL202
        self.register_buffer("mean", torch.Tensor(columns))  # expect: TL202
        gate = torch.Tensor(2 * rows, columns)  # expect: TL202
        self.gate = nn.Parameter(gate)

    def forward(self, x):
        x = torch.nn.functional.linear(x, self.weight) + self.bias.sum() - self.mean.sum()
        for weight in self.weights:
            x = x @ weight
        return (self.gate @ self.weight.t()).sum() + x * self.scale


class Half(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.Tensor(dim, dim))  # note: TL202
        self.bias = nn.Parameter(torch.Tensor(dim))  # expect: TL202
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x):
        return x @ self.weight + self.bias


class Reset(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.Tensor(dim, dim))  # note: TL202
        self.bias = nn.Parameter(torch.zeros(dim))  # ok: TL202
        self.scale = nn.Parameter(torch.empty(dim))  # ok: TL202
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.weight.size(1))
        self.weight.data.uniform_(-bound, bound)
        nn.init.ones_(self.scale)

    def forward(self, x):
        return x @ self.weight * self.scale + self.bias


class EachParameter(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.Tensor(dim, dim))  # note: TL202
        for parameter in self.parameters():
            nn.init.normal_(parameter)

    def forward(self, x):
        return x @ self.weight


class Applied(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.Tensor(dim, dim))  # note: TL202
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if hasattr(module, "weight"):
            nn.init.normal_(module.weight)

    def forward(self, x):
        return x @ self.weight


class Filled(nn.Module):
    def __init__(self, dim: int, start: float):
        super().__init__()
        self.weight = nn.Parameter(torch.Tensor(dim).fill_(start))  # note: TL202
        self.shift = nn.Parameter(torch.FloatTensor(dim, dim).normal_(0, 0.02))  # note: TL202
        rows = torch.Tensor(dim, dim)  # note: TL202
        nn.init.orthogonal_(rows)
        self.rows = nn.Parameter(rows)
        self.start = nn.Parameter(torch.Tensor([start]))  # note: TL202
        self.exact = nn.Parameter(torch.tensor([start]))  # ok: TL202
        self.none = nn.Parameter(torch.zeros(dim))  # ok: TL202

    def forward(self, x):
        return x @ (self.shift + self.rows) * self.weight + self.start + self.exact + self.none


class ByTheOwner(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.queries = nn.Parameter(torch.Tensor(dim, dim))  # note: TL202
        self.keys = nn.Parameter(torch.ones(dim, dim))  # ok: TL202

    def forward(self, x):
        return x @ self.queries @ self.keys


class Owner(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.inner = ByTheOwner(dim)
        for module in self.modules():
            if isinstance(module, ByTheOwner):
                for weight in [module.queries, module.keys]:
                    weight.data.normal_()

    def forward(self, x):
        return self.inner(x)


class Base(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.Tensor(dim, dim))  # note: TL202
        self.scale = nn.Parameter(torch.rand(dim))  # ok: TL202
        self.reset()

    def reset(self):
        raise NotImplementedError

    def forward(self, x):
        return x @ self.weight * self.scale


class Derived(Base):
    def reset(self):
        self.weight.data = torch.eye(len(self.weight))


class ManyMore(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.a = nn.Parameter(torch.full((dim,), 0.5))  # ok: TL202
        self.b = nn.Parameter(torch.randn(dim))  # ok: TL202
        self.c = nn.Parameter(torch.arange(dim).float())  # ok: TL202
        self.d: torch.Tensor = nn.Parameter(torch.ones(dim))  # ok: TL202
        self.register_buffer("e", torch.zeros(dim))  # ok: TL202
        self.register_buffer("f", torch.empty(dim).fill_(2))  # ok: TL202

    def forward(self, x: torch.FloatTensor) -> torch.FloatTensor:  # ok: TL202
        return x + self.a + self.b + self.c + self.d + self.e + self.f


def demonstrate():
    torch.use_deterministic_algorithms(True)
    try:
        never, half = Never(2, 2), Half(2)
        others = Reset(2), EachParameter(2), Applied(2), Filled(2, 1.0), Owner(2), Derived(2), ManyMore(2)
    finally:
        torch.use_deterministic_algorithms(False)
    # In this mode torch fills reserved memory with NaN.
    assert all(value.isnan().all() for value in never.state_dict().values())
    assert half.bias.isnan().all()
    assert half.weight.isfinite().all()
    for module in others:
        assert all(value.isfinite().all() for value in module.state_dict().values()), module
        assert module(torch.ones(2, 2)).isfinite().all()
