"""Each round has its own module: its state is not written by the next one, and other objects have states too."""

import torch
from torch import nn


def ensemble(widths: list[int], x: torch.Tensor) -> list[dict[str, torch.Tensor]]:
    states = []
    for width in widths:
        model = nn.Linear(width, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model(x[:, :width]).sum().backward()
        optimizer.step()
        states.append(model.state_dict())  # ok: TL116  a new model each round
    return states


def clients(models: list[nn.Module], optimizers: list[torch.optim.Optimizer]) -> list[dict[str, torch.Tensor]]:
    states = []
    for model, optimizer in zip(models, optimizers):
        optimizer.step()
        states.append(model.state_dict())  # ok: TL116  the model of this round
    return states


def trajectory(model: nn.Module, optimizer: torch.optim.Optimizer, rounds: int) -> list[dict[str, torch.Tensor]]:
    states = []
    for _ in range(rounds):
        optimizer.step()
        states.append(model.state_dict())  # expect: TL116
    return states


def one_loaded_model(model: nn.Module, starts: list[dict[str, torch.Tensor]]) -> list[dict[str, torch.Tensor]]:
    states = []
    for start in starts:
        model.load_state_dict(start)
        states.append(model.state_dict())  # expect: TL116
    return states


def schedule(optimizer: torch.optim.Optimizer, scheduler, losses: list[float]):
    kept = None
    for loss in losses:
        optimizer.step()
        if loss < 1:
            kept = scheduler.state_dict()  # ok: TL116  numbers, not weights
    return kept
