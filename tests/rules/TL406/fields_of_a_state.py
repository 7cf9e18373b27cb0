"""A dataclass holds model, optimizer and scaler: fields with an annotation and no value, and one with a factory."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class State:
    model: nn.Module
    optimizer: torch.optim.Optimizer
    scaler: torch.amp.GradScaler = field(default_factory=lambda: torch.amp.GradScaler("cpu"))


def step(state: State, batch):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = state.model(batch).float().square().mean()
    state.scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(state.model.parameters(), 1.0)  # expect: TL406
    state.scaler.step(state.optimizer)
    state.scaler.update()


def step_unscaled(state: State, batch):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = state.model(batch).float().square().mean()
    state.scaler.scale(loss).backward()
    state.scaler.unscale_(state.optimizer)
    nn.utils.clip_grad_norm_(state.model.parameters(), 1.0)  # ok: TL406
    state.scaler.step(state.optimizer)
    state.scaler.update()


def demonstrate():
    def moved(train):
        torch.manual_seed(0)
        model = nn.Linear(4, 1)
        start = model.weight.detach().clone()
        train(State(model, torch.optim.SGD(model.parameters(), lr=1.0)), torch.randn(8, 4))
        return (model.weight - start).norm().item()

    assert moved(step) < moved(step_unscaled) / 1000
