"""The object only keeps the state; a function of the same file loads it."""

import copy

import torch
from torch import nn


class Patience:
    def __init__(self):
        self.best = float("inf")
        self.best_weights = None
        self.first_weights = None

    def begin(self, model: nn.Module) -> None:
        self.first_weights = copy.deepcopy(model.state_dict())  # ok: TL116

    def step(self, loss: float, model: nn.Module) -> None:
        if loss < self.best:
            self.best = loss
            self.best_weights = model.state_dict()  # expect: TL116


def fit(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float]) -> None:
    patience = Patience()
    patience.begin(model)
    for loss in losses:
        optimizer.step()
        patience.step(loss, model)
    model.load_state_dict(patience.best_weights)
