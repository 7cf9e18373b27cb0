"""A function computes values from every tensor of a state and hands them out, in place or not."""

import torch
from torch import nn


def scaled(model: nn.Module, scale: float) -> dict[str, torch.Tensor]:
    out = {}
    for name, value in model.state_dict().items():
        if value.is_floating_point():
            value *= scale  # expect: TL111
        out[name] = value
    return out


def negated(model: nn.Module) -> dict[str, torch.Tensor]:
    return {
        name: value.neg_()  # expect: TL111
        for name, value in model.state_dict().items()
        if value.is_floating_point()
    }


def total_of_squares(model: nn.Module) -> float:
    total = 0.0
    for buffer in model.buffers():
        if buffer.is_floating_point():
            total += buffer.pow_(2).sum().item()  # expect: TL111
    return total


def largest(model: nn.Module) -> list[float]:
    return [
        buffer.abs_().max().item()  # expect: TL111
        for name, buffer in model.named_buffers()
        if buffer.is_floating_point()
    ]


def scaled_copy(model: nn.Module, scale: float) -> dict[str, torch.Tensor]:
    out = {}
    for name, value in model.state_dict().items():
        out[name] = value * scale if value.is_floating_point() else value  # ok: TL111
    return out


def negated_clone(model: nn.Module) -> dict[str, torch.Tensor]:
    return {
        name: value.clone().neg_()  # ok: TL111
        for name, value in model.state_dict().items()
        if value.is_floating_point()
    }


def squares(model: nn.Module) -> float:
    return sum(b.pow(2).sum().item() for b in model.buffers() if b.is_floating_point())  # ok: TL111


def converted(model: nn.Module) -> dict[str, torch.Tensor]:
    state = model.state_dict()
    for name, value in state.items():
        if value.is_floating_point():
            state[name] = value.half()  # ok: TL111  the dict gets another tensor
    return state
