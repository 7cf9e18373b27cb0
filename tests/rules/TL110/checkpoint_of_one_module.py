"""A checkpoint is made of the module's own tensors."""

import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Parameter(torch.zeros(1, 4))
        self.layers = nn.Linear(4, 4)

    def export(self, path: str) -> None:
        weights = {name: p.detach().cpu() for name, p in self.named_parameters(recurse=False)}  # expect: TL110
        torch.save(weights, path)

    def checkpoint(self) -> dict[str, torch.Tensor]:
        found = {}
        for name, p in self.named_parameters("", False):  # expect: TL110
            found[name] = p.detach().clone()
        return found

    def export_all(self, path: str) -> None:
        weights = {name: p.detach().cpu() for name, p in self.named_parameters()}  # ok: TL110
        torch.save(weights, path)

    def own_tensors(self) -> list[nn.Parameter]:
        return list(self.parameters(recurse=False))  # ok: TL110  that is what the method says

    def forward(self, x):
        return self.layers(x + self.query)
