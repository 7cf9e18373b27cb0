"""The write is what the function is for: an average, a decay, a reset."""

import copy

import torch
from torch import nn


class Average:
    def __init__(self, model: nn.Module, decay: float):
        self.module = copy.deepcopy(model)
        self.decay = decay

    @torch.no_grad()
    def update(self, source: nn.Module) -> dict[str, torch.Tensor]:
        current = source.state_dict()
        state = self.module.state_dict()
        for name, value in state.items():
            if value.is_floating_point():
                value.mul_(self.decay).add_(current[name], alpha=1 - self.decay)  # ok: TL111  a copy of its own
        return state


@torch.no_grad()
def follow(ema: nn.Module, model: nn.Module, decay: float) -> dict[str, torch.Tensor]:
    state = ema.state_dict()
    for name, value in model.state_dict().items():
        if value.is_floating_point():
            state[name].lerp_(value, 1 - decay)  # ok: TL111  its name says what it is for
    return state


@torch.no_grad()
def fade(model: nn.Module, rate: float) -> None:
    for buffer in model.buffers():
        if buffer.is_floating_point():
            buffer.mul_(rate)  # ok: TL111  no result is taken


@torch.no_grad()
def shrink(model: nn.Module, rate: float) -> None:
    state = model.state_dict()
    for name in state:
        if state[name].is_floating_point():
            state[name] *= rate  # ok: TL111  loaded into the module that it came from
    model.load_state_dict(state)


def fill(model: nn.Module, weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    state = model.state_dict()
    for name, value in weights.items():
        state[name].copy_(value)  # ok: TL111  copy_() is said to write
    return state
