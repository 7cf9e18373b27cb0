"""A helper averages what its caller passes: a warning where the caller shows the statistics and the evaluation."""

import copy

import torch
from torch import nn


def update(model: nn.Module, averaged: nn.Module, decay: float) -> None:
    for a, p in zip(averaged.parameters(), model.parameters()):  # expect: TL117
        a.data.mul_(decay).add_(p.data, alpha=1 - decay)


def main(x: torch.Tensor) -> torch.Tensor:
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
    averaged = copy.deepcopy(model)
    for _ in range(3):
        model(x)
        update(model, averaged, 0.9)
    return averaged.eval()(x)


def update_any(model: nn.Module, averaged: nn.Module, decay: float) -> None:
    for a, p in zip(averaged.parameters(), model.parameters()):  # note: TL117
        a.data.copy_(decay * a.data + (1 - decay) * p.data)


class Shadow:
    def __init__(self, model: nn.Module):
        self.model = model
        self.values = {name: p.detach().clone() for name, p in model.named_parameters()}

    @torch.no_grad()
    def update(self, decay: float) -> None:
        for name, p in self.model.named_parameters():  # ok: TL117  kept beside the model, whose buffers are live
            self.values[name].mul_(decay).add_(p, alpha=1 - decay)

    def swap_in(self) -> None:
        for name, p in self.model.named_parameters():  # ok: TL117
            p.data = self.values[name]


@torch.no_grad()
def start_from(model: nn.Module, other: nn.Module) -> None:
    for p, o in zip(model.parameters(), other.parameters()):  # ok: TL117  a copy
        p.copy_(o.to(p.device))
