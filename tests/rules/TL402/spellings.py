"""The spellings of a backward pass: scaled, of a training library, of torch.autograd; and names that are none."""
import contextlib

import torch
from torch import nn


def scaled(model: nn.Linear, scaler, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(x).sum()
        scaler.scale(loss).backward()  # note: TL402


def by_library(accelerator, model, x):
    with accelerator.autocast():
        accelerator.backward(model(x).sum())  # note: TL402


def by_library_after(accelerator, model, x):
    with accelerator.autocast():
        loss = model(x).sum()
    accelerator.backward(loss)  # ok: TL402


def by_autograd(model: nn.Linear, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        torch.autograd.backward(model(x).sum())  # note: TL402


def in_loop(model: nn.Linear, batches, amp: bool = True):
    context = torch.autocast("cpu", dtype=torch.bfloat16) if amp else contextlib.nullcontext()
    with context:
        for x in batches:
            loss = model(x).sum()
            loss.backward()  # note: TL402


def in_loop_after(model: nn.Linear, batches, amp: bool = True):
    context = torch.autocast("cpu", dtype=torch.bfloat16) if amp else contextlib.nullcontext()
    for x in batches:
        with context:
            loss = model(x).sum()
        loss.backward()  # ok: TL402


def in_no_grad_block(model: nn.Linear, x):
    loss = model(x).sum()
    with torch.enable_grad():
        loss.backward()  # ok: TL402


def by_stack(model: nn.Linear, x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
        model(x).sum().backward()  # note: TL402


def only_named(model: nn.Linear, history, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        history.step_backward()  # ok: TL402  another name
        return model(x)


def penalty(model: nn.Linear, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(x).sum()
        return torch.autograd.grad(loss, model.weight)  # ok: TL402  a gradient as a value


def demonstrate():
    model, x = nn.Linear(4, 4), torch.rand(2, 4, requires_grad=True)
    for run in (by_autograd, in_no_grad_block, by_stack, penalty):
        run(model, x)
    in_loop(model, [x])
    in_loop_after(model, [x])
