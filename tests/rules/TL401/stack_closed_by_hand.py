"""A stack of contexts is closed by hand: what comes after it is outside of the region."""
import contextlib

import torch
from torch import nn


def scored(net: nn.Module, x, y):
    stack = contextlib.ExitStack()
    stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
    scores = net(x).float() @ y.float()  # expect: TL401
    stack.close()
    return scores


def scored_outside(net: nn.Module, x, y):
    stack = contextlib.ExitStack()
    stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
    hidden = net(x)
    stack.close()
    return hidden.float() @ y.float()  # ok: TL401


def another_stack(net: nn.Module, x, y):
    stack, files = contextlib.ExitStack(), contextlib.ExitStack()
    stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
    hidden = net(x)
    files.close()
    scores = hidden.float() @ y.float()  # expect: TL401
    stack.close()
    return scores


def sometimes(net: nn.Module, x, y, mixed):
    stack = contextlib.ExitStack()
    if mixed:
        stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
    hidden = net(x)
    stack.close()
    return hidden.float() @ y.float()  # ok: TL401


def demonstrate():
    net, x, y = nn.Linear(2, 2), torch.ones(2, 2), torch.ones(2, 2)
    assert scored(net, x, y).dtype == another_stack(net, x, y).dtype == torch.bfloat16
    assert scored_outside(net, x, y).dtype == sometimes(net, x, y, True).dtype == torch.float32
