"""A script that runs its other functions never calls the helper."""

import torch
from torch import nn


def update_left_over(model: nn.Module, averaged: nn.Module, decay: float) -> None:
    for a, p in zip(averaged.parameters(), model.parameters()):  # ok: TL117  nobody calls it
        a.data.mul_(decay).add_(p.data, alpha=1 - decay)


def update_used(model: nn.Module, averaged: nn.Module, decay: float) -> None:
    for a, p in zip(averaged.parameters(), model.parameters()):  # note: TL117
        a.data.mul_(decay).add_(p.data, alpha=1 - decay)


def train() -> None:
    model, averaged = nn.Linear(2, 2), nn.Linear(2, 2)
    model(torch.ones(1, 2)).sum().backward()
    update_used(model, averaged, 0.9)


if __name__ == "__main__":
    train()
