"""Names that are made of module paths, file paths and numbers: a dot, a clash or a number raises in construction."""

import torch
from torch import nn


class Importance(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        object.__setattr__(self, "model", model)
        for name, parameter in model.named_parameters():
            self.register_buffer(name + "_importance", torch.zeros_like(parameter))  # expect: TL107
            self.register_buffer(name.replace(".", "_") + "_start", parameter.detach().clone())  # ok: TL107

    def forward(self, x):
        return self.model(x)


class Versioned(nn.Module):
    def __init__(self, dim: int, rate: float):
        super().__init__()
        self.add_module("block.1", nn.Linear(dim, dim))  # expect: TL107
        self.add_module("block_1", nn.Linear(dim, dim))  # ok: TL107
        self.register_parameter("scale.weight", nn.Parameter(torch.ones(dim)))  # expect: TL107

    def forward(self, x):
        return x


class Clashing(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.scale = None
        self.register_buffer("scale", torch.ones(dim))  # expect: TL107
        self.bias = None
        del self.bias
        self.register_buffer("bias", torch.ones(dim))  # ok: TL107  deleted before

    def forward(self, x):
        return x * self.scale + self.bias


def demonstrate():
    for make in (lambda: Importance(nn.Sequential(nn.Linear(2, 2))), lambda: Versioned(2, 0.5), lambda: Clashing(2)):
        try:
            make()
        except KeyError:
            continue
        raise AssertionError(make)
