"""The best weights of a loop are used after later steps: another dict of the same tensors is no copy."""

import copy
from collections import OrderedDict

import torch
from torch import nn


def same_dict(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float]) -> None:
    best, kept = float("inf"), None
    for loss in losses:
        optimizer.step()
        if loss < best:
            best, kept = loss, model.state_dict()  # expect: TL116
    model.load_state_dict(kept)


def shallow_copy(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float]):
    best, kept = float("inf"), None
    for loss in losses:
        optimizer.step()
        if loss < best:
            best = loss
            kept = model.state_dict().copy()  # expect: TL116
    return kept


def another_dict(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float], path: str) -> None:
    best, checkpoint = float("inf"), {}
    for loss in losses:
        optimizer.step()
        if loss < best:
            best = loss
            checkpoint["model"] = OrderedDict(model.state_dict())  # expect: TL116
            checkpoint["loss"] = loss
    torch.save(checkpoint, path)


def detached_values(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float]) -> None:
    best, kept = float("inf"), None
    for loss in losses:
        optimizer.step()
        if loss < best:
            best = loss
            state = model.state_dict()  # expect: TL116
            kept = {name: value.detach() for name, value in state.items()}
    model.load_state_dict(kept)


def deep_copy(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float]) -> None:
    best, kept = float("inf"), None
    for loss in losses:
        optimizer.step()
        if loss < best:
            best, kept = loss, copy.deepcopy(model.state_dict())  # ok: TL116
    model.load_state_dict(kept)


def cloned_values(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float]) -> None:
    best, kept = float("inf"), None
    for loss in losses:
        optimizer.step()
        if loss < best:
            best = loss
            kept = {name: value.clone() for name, value in model.state_dict().items()}  # ok: TL116
    model.load_state_dict(kept)


def saved_at_once(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float], path: str) -> None:
    best = float("inf")
    for loss in losses:
        optimizer.step()
        if loss < best:
            best = loss
            checkpoint = {"model": model.state_dict(), "loss": loss}  # ok: TL116  written before the next step
            torch.save(checkpoint, path)


def state_of_the_last_round(model: nn.Module, optimizer: torch.optim.Optimizer, losses: list[float]):
    checkpoint = {}
    for loss in losses:
        optimizer.step()
        checkpoint = {"model": model.state_dict(), "loss": loss}  # ok: TL116  the last one is as it was
    return checkpoint
