"""One method stores the state on the object and loads it: in a loop that trains, or in another of its calls."""

import copy

import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.best_weights = None
        self.copied = None

    def epoch(self) -> float:
        loss = self.model(torch.ones(1, 2)).sum()
        loss.backward()
        self.optimizer.step()
        return loss.item()  # note: TL307

    def fit(self) -> None:
        best = float("inf")
        for _ in range(3):
            loss = self.epoch()
            if loss < best:
                best = loss
                self.best_weights = self.model.state_dict()  # expect: TL116
                self.copied = copy.deepcopy(self.model.state_dict())  # ok: TL116
        self.model.load_state_dict(self.best_weights)
        self.model.load_state_dict(self.copied)


class Stopper:
    def __init__(self):
        self.best = float("inf")
        self.state = None
        self.copied = None

    def __call__(self, loss: float, model: nn.Module) -> None:
        if loss < self.best:
            self.best = loss
            self.state = dict(model.state_dict())  # expect: TL116
            self.copied = copy.deepcopy(model.state_dict())  # ok: TL116
        else:
            model.load_state_dict(self.state)
            model.load_state_dict(self.copied)


def other_model_is_trained(model: nn.Module, rounds: int, path: str) -> None:
    state = model.state_dict()  # ok: TL116  a deep copy is trained, not the model
    for _ in range(rounds):
        train_one(copy.deepcopy(model))
    torch.save(state, path)


def train_one(model: nn.Module) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()


def step_back(model: nn.Module, rate: float) -> None:
    before = model.state_dict()  # expect: TL116
    train_one(model)
    after = model.state_dict()
    model.load_state_dict({name: before[name] + rate * (after[name] - before[name]) for name in before})  # expect: TL301


def step_back_from_a_copy(model: nn.Module, rate: float) -> None:
    before = copy.deepcopy(model.state_dict())  # ok: TL116
    train_one(model)
    after = model.state_dict()
    model.load_state_dict({name: before[name] + rate * (after[name] - before[name]) for name in before})  # expect: TL301


def kept_by_a_closure(model: nn.Module, optimizer: torch.optim.Optimizer, rounds: int) -> None:
    best = {}

    def keep() -> None:
        best["model"] = model.state_dict()  # todo: TL116  what a nested function puts into an outer dict

    for _ in range(rounds):
        optimizer.step()
        keep()
    model.load_state_dict(best["model"])
