"""The list is filled by a helper, a subclass, a later method or through setattr; copies of a layer are new layers."""
import copy

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = []  # expect: TL105
        self.kept = []  # ok: TL105

    def forward(self, x):
        for part in (*self.parts, *self.kept):
            x = part(x)
        return x


class Filled(Base):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.parts.append(nn.Linear(dim, dim))
        for i in range(2):
            self._keep(nn.Linear(dim, dim), i)

    def _keep(self, layer, i):
        self.kept.append(layer)
        self.add_module(f"kept{i}", layer)


def clones(layer: nn.Module, count: int):
    return [copy.deepcopy(layer) for _ in range(count)]


class Copies(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.copies = clones(nn.Linear(dim, dim), 2)  # expect: TL105
        self.registered = nn.ModuleList(clones(nn.Linear(dim, dim), 2))  # ok: TL105
        self.same = [self.layer for _ in range(2)]  # ok: TL105
        self.copied = [copy.deepcopy(self.layer) for _ in range(2)]  # expect: TL105
        setattr(self, "named", [nn.Linear(dim, dim) for _ in range(2)])  # expect: TL105
        layers = []
        self._build(layers, dim)
        self.built = nn.Sequential(*layers)  # ok: TL105
        self.heads = {}  # expect: TL105

    def _build(self, layers, dim):
        layers.append(nn.Linear(dim, dim))

    def add_head(self, name, dim: int = 3):
        self.heads[name] = nn.Linear(dim, dim)

    def forward(self, x, head=None):
        for layer in (*self.copies, *self.registered, *self.same, *self.copied, *self.named):
            x = layer(x)
        return self.built(x) if head is None else self.heads[head](x)


def demonstrate():
    filled = Filled().double()
    assert filled.parts[0].weight.dtype == torch.float32 and filled.kept[0].weight.dtype == torch.float64
    module = Copies()
    module.add_head("a")
    assert len(list(module.parameters())) == 2 + 4 + 2
    assert module.double().heads["a"].weight.dtype == torch.float32
