"""A plain class keeps the state on itself in one method and loads it in another."""

import copy

import torch
from torch import nn


class Keeper:
    def __init__(self, model: nn.Module):
        self.model = model
        self.best_state = None
        self.records = []
        self.first = copy.deepcopy(model.state_dict())  # ok: TL116

    def keep(self, better: bool) -> None:
        if better:
            self.best_state = {"model": self.model.state_dict(), "better": better}  # expect: TL116

    def keep_all(self) -> None:
        self.records.append(self.model.state_dict())  # expect: TL116

    def restore(self) -> None:
        self.model.load_state_dict(self.best_state["model"])

    def rewind(self, index: int) -> None:
        self.model.load_state_dict(self.records[index])

    def reset(self) -> None:
        self.model.load_state_dict(self.first)


class ByHelper:
    def __init__(self, model: nn.Module):
        self.model = model
        self.kept = self.take()

    def take(self):
        return self.model.state_dict()  # expect: TL116

    def reset(self) -> None:
        self.model.load_state_dict(self.kept)


class CopyingHelper(ByHelper):
    def take(self):
        return copy.deepcopy(super().take())  # ok: TL116


class Exporter:
    def __init__(self, model: nn.Module):
        self.model = model
        self.state = None

    def export(self, path: str) -> None:
        self.state = self.model.state_dict()  # ok: TL116  written in the same call
        self._write(path)

    def _write(self, path: str) -> None:
        torch.save(self.state, path)


class Publisher:
    def __init__(self, model: nn.Module):
        self.weights = model.state_dict()  # ok: TL116  the newest weights are what the other one wants

    def publish(self, other: nn.Module) -> None:
        other.load_state_dict(self.weights)


class Filler:
    def __init__(self, model: nn.Module):
        self.tensors = model.state_dict()  # ok: TL116  a way into the module

    def fill(self, weights: dict[str, torch.Tensor]) -> None:
        for name, value in weights.items():
            self.tensors[name].copy_(value)
