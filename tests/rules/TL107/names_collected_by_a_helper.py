"""Names with dots come out of a list of names that the function, or a helper, collects from another model."""

import torch
from torch import nn


def body(width: int = 4) -> nn.Sequential:
    return nn.Sequential(nn.Sequential(nn.Linear(width, width), nn.Tanh()), nn.Linear(width, width))


def names_in(model: nn.Module) -> list[str]:
    return sorted(name for name, _ in model.named_parameters())


class Watching(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.model = body(width)
        self.attach(width)

    def watched(self) -> list[str]:
        return [name for name, part in self.model.named_modules() if isinstance(part, nn.Linear)]

    def top_level(self) -> list[str]:
        return [name for name, part in self.model.named_children() if isinstance(part, nn.Linear)]

    def undotted(self) -> list[str]:
        return [name for name, _ in self.model.named_modules() if name and "." not in name]

    def attach(self, width: int) -> None:
        raise NotImplementedError


class ByMethod(Watching):
    def attach(self, width):
        for name in self.watched():
            self.add_module(f"probe_{name}", nn.Linear(width, 1))  # expect: TL107


class ByFunction(Watching):
    def attach(self, width):
        for name in names_in(self.model):
            self.register_buffer("mean_" + name, torch.zeros(width))  # expect: TL107


class ByLocalList(Watching):
    def attach(self, width):
        names = [name for name, _ in self.model.named_parameters()]
        for name in reversed(names):
            self.register_buffer(name, torch.zeros(width))  # expect: TL107


class OfChildren(Watching):
    def attach(self, width):
        for name in self.top_level():
            self.add_module(f"probe_{name}", nn.Linear(width, 1))  # ok: TL107


class Replaced(Watching):
    def attach(self, width):
        for name in self.watched():
            self.add_module("probe_" + name.replace(".", "_"), nn.Linear(width, 1))  # ok: TL107


class Undotted(Watching):
    def attach(self, width):
        for name in self.undotted():
            self.add_module(f"probe_{name}", nn.Linear(width, 1))  # ok: TL107


class UndottedHere(Watching):
    def attach(self, width):
        for name in [name for name, _ in self.model.named_modules() if "." not in name]:
            self.add_module(f"probe_{name}", nn.Linear(width, 1))  # ok: TL107


class Counted(Watching):
    def attach(self, width):
        for index, _ in enumerate(self.watched()):
            self.add_module(f"probe_{index}", nn.Linear(width, 1))  # ok: TL107
