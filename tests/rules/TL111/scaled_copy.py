"""In-place arithmetic on what state_dict() gives writes into the model."""

import torch
from torch import nn


def scaled(model: nn.Module, factor: float):
    result = {}
    for name, value in model.state_dict().items():
        value *= factor  # expect: TL111, TL301
        result[name] = value
    return result


def scaled_values(model: nn.Module, factor: float):
    return [value.mul_(factor) for value in model.state_dict().values()]  # expect: TL111, TL301


def scaled_copy(model: nn.Module, factor: float):
    result = {}
    for name, value in model.state_dict().items():
        value = value * factor  # ok: TL111  # expect: TL301
        result[name] = value
    return result


def cloned(model: nn.Module, factor: float):
    return [value.clone().mul_(factor) for value in model.state_dict().values()]  # ok: TL111  # expect: TL301


def demonstrate():
    for function, harmful in ((scaled, True), (scaled_values, True), (scaled_copy, False), (cloned, False)):
        layer = nn.Linear(2, 2)
        before = layer.weight.detach().clone()
        function(layer, 2.0)
        assert torch.equal(layer.weight.detach(), before) is not harmful
