"""An average over models begins with the state of one of them."""

import copy
from collections.abc import Sequence

import torch
from torch import nn


@torch.no_grad()
def mean_of(models: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    total = models[0].state_dict()
    for other in models[1:]:
        for name, value in other.state_dict().items():
            total[name] += value  # expect: TL111
    return total


@torch.no_grad()
def into(target: nn.Module, models: Sequence[nn.Module]) -> None:
    total = models[0].state_dict()
    for other in models[1:]:
        for name, value in other.state_dict().items():
            if value.is_floating_point():
                total[name].add_(value)  # expect: TL111
    target.load_state_dict(total)


@torch.no_grad()
def shallow(models: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    total = dict(models[0].state_dict())
    for other in models[1:]:
        for name, value in other.state_dict().items():
            total[name] += value  # expect: TL111
    return total


@torch.no_grad()
def of_copies(models: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    total = copy.deepcopy(models[0].state_dict())
    for other in models[1:]:
        for name, value in other.state_dict().items():
            total[name] += value  # ok: TL111
    return total


@torch.no_grad()
def of_clones(models: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    total = {name: value.clone() for name, value in models[0].state_dict().items()}
    for other in models[1:]:
        for name, value in other.state_dict().items():
            total[name] += value  # ok: TL111
    return total


@torch.no_grad()
def of_a_copied_model(models: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    total = copy.deepcopy(models[0]).state_dict()
    for other in models[1:]:
        for name, value in other.state_dict().items():
            total[name] += value  # ok: TL111
    return total


@torch.no_grad()
def new_tensors(models: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    total = models[0].state_dict()
    for other in models[1:]:
        for name, value in other.state_dict().items():
            total[name] = total[name] + value  # ok: TL111  the dict gets another tensor
    return total


@torch.no_grad()
def filled_in_the_first_round(models: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    total = {}
    for index, model in enumerate(models):
        for name, value in model.state_dict().items():
            if index == 0:
                total[name] = value
            else:
                total[name] += value  # expect: TL111
    return total


@torch.no_grad()
def filled_with_clones(models: Sequence[nn.Module]) -> dict[str, torch.Tensor]:
    total = {}
    for index, model in enumerate(models):
        for name, value in model.state_dict().items():
            if index == 0:
                total[name] = value.clone()
            else:
                total[name] += value  # ok: TL111
    return total


def state_of(model: nn.Module) -> dict[str, torch.Tensor]:
    return model.state_dict()


def noisy(model: nn.Module) -> dict[str, torch.Tensor]:
    state = state_of(model)
    for name in state:
        if state[name].is_floating_point():
            state[name].mul_(2)  # expect: TL111
    return state
