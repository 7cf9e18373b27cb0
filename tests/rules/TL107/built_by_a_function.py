"""Functions and plain objects build the modules: their keys are names too."""

from collections import OrderedDict

import torch
from torch import nn


def heads():
    return nn.ModuleDict({"box": nn.Linear(3, 4), "type": nn.Linear(3, 2)})  # expect: TL107


def by_key(names=("a", "b")):
    found = nn.ModuleDict()
    for name in names:
        found[f"layers.{name}"] = nn.Linear(3, 2)  # expect: TL107
    return found


def chained():
    body = nn.Sequential()
    body.add_module("conv.last", nn.Conv1d(1, 1, 1))  # expect: TL107
    return body


def ordered():
    return nn.Sequential(OrderedDict([("norm.1", nn.LayerNorm(2)), ("act", nn.ReLU())]))  # expect: TL107


def marked(net: nn.Module):
    net.register_buffer("weight.mask", torch.ones(2))  # expect: TL107
    return net


class Factory:
    """No module itself."""

    def __init__(self):
        self.parts = nn.ParameterDict({"": nn.Parameter(torch.ones(1))})  # expect: TL107

    def part(self):
        return nn.ModuleDict({"0": nn.Linear(2, 2)})  # ok: TL107


def right_heads(kinds=("box", "type")):
    found = nn.ModuleDict({f"head_{kind}": nn.Linear(3, 2) for kind in kinds})  # ok: TL107
    found["last"] = nn.Linear(3, 2)  # ok: TL107
    return found


def right_chain():
    body = nn.Sequential(OrderedDict([("norm1", nn.LayerNorm(2))]))  # ok: TL107
    body.add_module("conv_last", nn.Conv1d(1, 1, 1))  # ok: TL107
    return body


def plain_dict():
    return {"layer.1": nn.Linear(2, 2), "type": 1}  # ok: TL107


def renamed(net: nn.Module):
    for name, p in list(net.named_parameters()):
        net.register_buffer(name.replace(".", "_") + "_old", p.detach().clone())  # ok: TL107
    return net


def of_another_kind(registry):
    registry.add_module("layers.1", nn.Linear(2, 2))  # ok: TL107  who knows what it is


def demonstrate():
    for broken in (heads, by_key, chained, ordered, lambda: marked(nn.Linear(2, 2)), Factory):
        try:
            broken()
        except KeyError:
            continue
        raise AssertionError(broken)
    for right in (right_heads, right_chain, plain_dict, lambda: renamed(nn.Linear(2, 2))):
        right()


if __name__ == "__main__":
    demonstrate()
