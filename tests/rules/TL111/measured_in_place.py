"""A function measures what rounding would cost, and rounds the weights of the live network on the way."""

import torch
from torch import nn


@torch.no_grad()
def rounding_error(net: nn.Module, step: float = 0.5):
    errors = {}
    for name, value in net.state_dict().items():
        before = value.clone()
        value.div_(step).round_().mul_(step)  # expect: TL111  # expect: TL301
        errors[name] = (value - before).norm().item()
    return errors


@torch.no_grad()
def rounding_error_of_a_copy(net: nn.Module, step: float = 0.5):
    errors = {}
    for name, value in net.state_dict().items():
        rounded = value.div(step).round_().mul_(step)  # ok: TL111
        errors[name] = (rounded - value).norm().item()
    return errors


@torch.no_grad()
def rounding_error_put_back(net: nn.Module, step: float = 0.5):
    errors = {}
    for name, value in net.state_dict().items():
        before = value.clone()
        value.div_(step).round_().mul_(step)  # ok: TL111  what was there comes back  # expect: TL301
        errors[name] = (value - before).norm().item()
        value.copy_(before)
    return errors


@torch.no_grad()
def quantise(net: nn.Module, step: float = 0.5):
    moved = 0.0
    for value in net.state_dict().values():
        before = value.clone()
        value.div_(step).round_().mul_(step)  # ok: TL111  it is there to write  # expect: TL301
        moved += (value - before).norm().item()
    return moved


@torch.no_grad()
def normalise(net: nn.Module, step: float = 0.5):
    moved = 0.0
    for value in net.state_dict().values():
        before = value.clone()
        value.div_(step).round_().mul_(step)  # ok: TL111  it is there to write, too  # expect: TL301
        moved += (value - before).norm().item()
    return moved


@torch.no_grad()
def make_glossy(net: nn.Module, step: float = 0.5):
    moved = 0.0
    for value in net.state_dict().values():
        before = value.clone()
        value.div_(step).round_().mul_(step)  # ok: TL111  no word of the name is a loss  # expect: TL301
        moved += (value - before).norm().item()
    return moved


def demonstrate():
    for function, still in ((rounding_error, False), (rounding_error_of_a_copy, True), (rounding_error_put_back, True)):
        net = nn.Linear(2, 2)
        start = net.weight.detach().clone()
        function(net)
        assert torch.equal(net.weight, start) is still
    quantise(nn.Linear(2, 2))
    normalise(nn.Linear(2, 2))
    make_glossy(nn.Linear(2, 2))
