"""An average or a backup begins with the parameters themselves, and one of the two is written in place."""

import copy

import torch
from torch import nn


class Shadow:
    def __init__(self, model: nn.Module, decay: float):
        self.decay = decay
        self.values = {}
        self.copies = {}
        for name, p in model.named_parameters():
            self.values[name] = p.data  # expect: TL116
            self.copies[name] = p.data.clone()  # ok: TL116

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        for name, p in model.named_parameters():
            self.values[name].mul_(self.decay).add_(p.data, alpha=1 - self.decay)
            self.copies[name].mul_(self.decay).add_(p.data, alpha=1 - self.decay)


class ShadowOfList:
    def __init__(self, parameters):
        parameters = list(parameters)
        self.values = [p.detach() for p in parameters]  # expect: TL116
        self.copies = [p.detach().clone() for p in parameters]  # ok: TL116

    @torch.no_grad()
    def update(self, parameters) -> None:
        for value, kept, p in zip(self.values, self.copies, parameters):
            value.sub_(0.1 * (value - p))
            kept.sub_(0.1 * (kept - p))


class NewTensors:
    def __init__(self, model: nn.Module):
        self.values = {name: p.data for name, p in model.named_parameters()}  # ok: TL116  each update makes a tensor

    def update(self, model: nn.Module) -> None:
        for name, p in model.named_parameters():
            self.values[name] = 0.9 * self.values[name] + 0.1 * p.data


class OwnModel:
    def __init__(self, model: nn.Module):
        self.averaged = copy.deepcopy(model)
        self.values = list(self.averaged.parameters())  # ok: TL116  of a copy

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        for value, p in zip(
            self.values, model.parameters()
        ):  # todo: note TL117  taken from a list on self
            value.lerp_(p, 0.1)


class Descent:
    def __init__(self, model: nn.Module):
        self.weights = list(model.parameters())  # ok: TL116  written on purpose, by gradients

    @torch.no_grad()
    def step(self) -> None:
        for weight in self.weights:
            weight.add_(weight.grad, alpha=-0.1)


class Swap:
    def __init__(self, model: nn.Module):
        self.model = model
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}
        self.backup = {}

    @torch.no_grad()
    def apply(self) -> None:
        for name, p in self.model.named_parameters():
            self.backup[name] = p.data  # expect: TL116
            p.data.copy_(self.shadow[name])

    @torch.no_grad()
    def restore(self) -> None:
        for name, p in self.model.named_parameters():
            p.data.copy_(self.backup[name])


@torch.no_grad()
def in_one_function(model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    shadow = {name: p.data for name, p in model.named_parameters()}  # expect: TL116
    copies = {name: p.data.clone() for name, p in model.named_parameters()}  # ok: TL116
    for _ in range(3):
        optimizer.step()
        for name, p in model.named_parameters():
            shadow[name].mul_(0.9).add_(p, alpha=0.1)
            copies[name].mul_(0.9).add_(p, alpha=0.1)
