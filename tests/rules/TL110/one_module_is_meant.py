"""A module by itself is meant: it has no others inside, or the function is called for each module."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))

    def freeze(self) -> None:
        for p in self.parameters(recurse=False):  # ok: TL110  it has no submodules
            p.requires_grad = False

    def forward(self, x):
        return x * self.scale


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(4))
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))

    def reset_parameters(self) -> None:
        for p in self.parameters(recurse=False):  # ok: TL110  the convention: each module resets its own
            nn.init.zeros_(p)

    def freeze(self) -> None:
        for p in self.parameters(recurse=False):  # note: TL110
            p.requires_grad = False

    def forward(self, x):
        return self.layers(x) + self.bias


def freeze_own(module: nn.Module) -> None:
    for p in module.parameters(recurse=False):  # ok: TL110  called for each module
        p.requires_grad = False


def zero_own(module: nn.Module) -> None:
    for p in module.parameters(recurse=False):  # ok: TL110  handed to apply()
        p.data.zero_()


def freeze_tree(model: nn.Module) -> None:
    for module in model.modules():
        freeze_own(module)
    model.apply(zero_own)


def freeze_recursively(module: nn.Module) -> None:
    for p in module.parameters(recurse=False):  # ok: TL110  and then its children
        p.requires_grad = False
    for child in module.children():
        freeze_recursively(child)


def drop_own(module: nn.Module) -> None:
    for name, _ in list(module.named_parameters(recurse=False)):  # ok: TL110  the children must stay
        delattr(module, name)


def flattened(model: nn.Module) -> list[nn.Module]:
    return [module for module in model.modules() if not list(module.children())]


def freeze_flattened(model: nn.Module) -> None:
    for module in flattened(model):
        for p in module.parameters(recurse=False):  # ok: TL110  a helper goes through the modules
            p.requires_grad = False
