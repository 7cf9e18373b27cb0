"""Contexts of a step are collected in an ExitStack and backward runs before it closes, although the solver part was kept in float32.

source: pytorch amp notes on backward under autocast; trainers that enter autocast, profiler and no_sync together
rules: [TL402]
"""
from contextlib import ExitStack, nullcontext

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Solver(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.encode = nn.Linear(dim, dim)
        self.exact = nn.Linear(dim, dim)


def energy(net, x):
    code = net.encode(x)
    with torch.autocast(KIND, enabled=False):
        out = net.exact(code.float())
        return out.square().mean()


def contexts(stack, sync=True):
    stack.enter_context(torch.autocast(KIND, dtype=torch.bfloat16))
    stack.enter_context(nullcontext() if sync else torch.profiler.record_function("local"))


def step(net, x):
    net.zero_grad()
    with ExitStack() as stack:
        stack.enter_context(torch.autocast(KIND, dtype=torch.bfloat16))
        code = net.encode(x)
        with torch.autocast(KIND, enabled=False):
            loss = net.exact(code.float()).square().mean()
        loss.backward()  # expect: TL402
    return net.exact.weight.grad


def step_outside(net, x):
    net.zero_grad()
    with ExitStack() as stack:
        contexts(stack, sync=False)
        loss = energy(net, x)
    loss.backward()  # ok: TL402
    return net.exact.weight.grad


def step_left_by_hand(net, x):
    net.zero_grad()
    stack = ExitStack()
    stack.enter_context(torch.autocast(KIND, dtype=torch.bfloat16))
    loss = energy(net, x)
    stack.close()
    loss.backward()  # ok: TL402
    return net.exact.weight.grad


def demonstrate():
    torch.manual_seed(0)
    net, x = Solver().to(KIND), torch.randn(32, 16, device=KIND)
    right = step_outside(net, x).clone()
    assert torch.equal(right, step_left_by_hand(net, x))
    rounded = step(net, x).clone()
    assert not torch.equal(right, rounded)
    assert torch.equal(rounded, rounded.bfloat16().float()), "a float32 gradient with the digits of bfloat16"
