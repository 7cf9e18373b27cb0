"""zip() of parameters and buffers pairs tensors that have nothing to do with one another."""

import torch
from torch import nn


@torch.no_grad()
def pull(model: nn.Module, anchor: nn.Module, rate: float) -> None:
    for p, b in zip(model.parameters(), anchor.buffers()):  # note: TL110
        p.lerp_(b, rate)


@torch.no_grad()
def pull_named(model: nn.Module, anchor: nn.Module, rate: float) -> None:
    for (_, p), (_, b) in zip(list(model.named_buffers()), list(anchor.named_parameters())):  # note: TL110
        p.lerp_(b, rate)


@torch.no_grad()
def copy_both(model: nn.Module, anchor: nn.Module) -> None:
    for p, a in zip(model.parameters(), anchor.parameters()):  # ok: TL110
        p.copy_(a)
    for p, a in zip(model.buffers(), anchor.buffers()):  # ok: TL110
        p.copy_(a)
