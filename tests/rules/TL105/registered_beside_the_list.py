"""A second, unordered way to modules that are registered is harmless; one forgotten module is not."""
import torch
from torch import nn


class Beside(nn.Module):
    def __init__(self, dim: int = 3, count: int = 2):
        super().__init__()
        self.first = nn.Linear(dim, dim)
        last = nn.Linear(dim, dim)
        self.last = last
        self.aliases = [self.first, last]  # ok: TL105
        self.layers = []  # ok: TL105  add_module of each element
        for i in range(count):
            layer = nn.Linear(dim, dim)
            self.add_module(f"layer{i}", layer)
            self.layers.append(layer)
        self.set = []  # ok: TL105  setattr of each element
        for i in range(count):
            layer = nn.Linear(dim, dim)
            setattr(self, f"set{i}", layer)
            self.set.append(layer)
        self.later = [nn.Linear(dim, dim) for _ in range(count)]  # ok: TL105  registered in a second loop
        for i, layer in enumerate(self.later):
            self.add_module(f"later{i}", layer)
        self.by_name = {}  # ok: TL105
        for name in ("a", "b"):
            self.by_name[name] = nn.Linear(dim, dim)
            self.add_module(name, self.by_name[name])
        self.inside = [nn.Linear(dim, dim)]  # ok: TL105  a Sequential holds them
        self.body = nn.Sequential(*self.inside)
        self.helped = self.make(dim, count)  # ok: TL105  the helper registers them
        self.added = [self.add(f"added{i}", nn.Linear(dim, dim)) for i in range(count)]  # ok: TL105
        self.blocks = nn.ModuleList(nn.Linear(dim, dim) for _ in range(count))
        self.picked = dict(zip("ab", self.blocks))  # ok: TL105
        self.flat = list(self.blocks.children())  # ok: TL105
        both = [nn.Linear(dim, dim) for _ in range(count)]
        self.kept = nn.ModuleList(both)
        self.plain = both  # ok: TL105
        self.forgotten = [nn.Linear(dim, dim), self.first]  # expect: TL105

    def make(self, dim, count):
        made = []
        for i in range(count):
            layer = nn.Linear(dim, dim)
            self.add_module(f"helped{i}", layer)
            made.append(layer)
        return made

    def add(self, name, layer):
        self.add_module(name, layer)
        return layer

    def forward(self, x):
        for layer in (*self.aliases, *self.layers, *self.set, *self.later, *self.by_name.values(), *self.inside):
            x = layer(x)
        for layer in (*self.helped, *self.added, *self.picked.values(), *self.flat, *self.plain, *self.forgotten):
            x = layer(x)
        return x


def demonstrate():
    module = Beside().double()
    plain = [layer for layer in module.forgotten if layer.weight.dtype == torch.float32]
    assert plain == module.forgotten[:1]
    kept = {"aliases", "layers", "set", "later", "inside", "helped", "added", "flat", "plain"}
    assert all(layer.weight.dtype == torch.float64 for name in kept for layer in getattr(module, name))
    assert all(layer.weight.dtype == torch.float64 for layer in (*module.by_name.values(), *module.picked.values()))
