"""A BatchNorm with momentum=None divides by its counter: of a mixture of two states it gets another one."""
import torch
from torch import nn


def norm() -> nn.Module:
    return nn.BatchNorm1d(2, momentum=None)


def moved(start: dict, goal: dict, rate: float = 0.1) -> dict:
    return {name: start[name] + (goal[name] - start[name]) * rate for name in start}  # expect: TL301


def moved_floats(start: dict, goal: dict, rate: float = 0.1) -> dict:
    out = dict(goal)
    for name, value in start.items():
        if value.is_floating_point():
            out[name] = value + (goal[name] - value) * rate  # ok: TL301
    return out


def step(net: nn.Module, goal: nn.Module) -> None:
    net.load_state_dict(moved(net.state_dict(), goal.state_dict()))


def step_of_floats(net: nn.Module, goal: nn.Module) -> None:
    net.load_state_dict(moved_floats(net.state_dict(), goal.state_dict()))


def demonstrate():
    for take, count in ((step, 0), (step_of_floats, 5)):
        net, goal = norm(), norm()
        goal.num_batches_tracked.fill_(5)
        take(net, goal)
        assert int(net.num_batches_tracked) == count
