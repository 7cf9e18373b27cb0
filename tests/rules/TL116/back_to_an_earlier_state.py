"""A state to go back to is taken before a training helper runs; loading it changes nothing."""

import copy

import torch
from torch import nn


def train_briefly(model: nn.Module, x: torch.Tensor) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(x).sum().backward()
    optimizer.step()


def probe(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    before = model.state_dict()  # expect: TL116
    train_briefly(model, x)
    out = model(x)
    model.load_state_dict(before)
    return out


def probe_with_copy(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    before = copy.deepcopy(model.state_dict())  # ok: TL116
    train_briefly(model, x)
    out = model(x)
    model.load_state_dict(before)
    return out


def with_other_weights(model: nn.Module, weights: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    own = model.state_dict()  # expect: TL116
    model.load_state_dict(weights)
    out = model(x)
    model.load_state_dict(own)
    return out


def warm_start(model: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    own = model.state_dict()  # ok: TL116  merged and loaded with no step between
    own.update({name: value for name, value in weights.items() if name in own})
    model.load_state_dict(own)


def hand_over(model: nn.Module, other: nn.Module, x: torch.Tensor) -> None:
    other.load_state_dict(model.state_dict())  # ok: TL116  copied into another module at once
    train_briefly(model, x)


def probe_a_copy(model: nn.Module, x: torch.Tensor) -> None:
    before = copy.deepcopy(model).state_dict()  # ok: TL116  nobody trains the copy
    train_briefly(model, x)
    model.load_state_dict(before)


def merged_twice(model: nn.Module, other: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    state = model.state_dict()  # ok: TL116  loading a state into the module that gave it changes nothing
    state["bias"].copy_(weights["bias"])
    model.load_state_dict(state)
    other.load_state_dict(state)
