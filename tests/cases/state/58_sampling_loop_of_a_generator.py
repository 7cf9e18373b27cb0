"""Sampling code: an eval-mode generator is run for many batches and the images, graphs included, are collected.

source: leftthomas/SRGAN#43, pytorch/pytorch#4932, FID scripts; fairchem#199 (forces need gradients in validation)
rules: [TL304]
"""
import contextlib
from functools import wraps

import torch
from torch import nn


def quietly(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        with torch.no_grad():
            return fn(*args, **kwargs)

    return inner


def noise(n: int, batch: int, dim: int):
    for _ in range(n):
        yield torch.randn(batch, dim)


def collect(g: nn.Module, n: int = 3, batch: int = 2) -> list:
    was = g.training
    g.eval()  # expect: TL304
    images = []
    for z in noise(n, batch, 3):
        images.append(g(z))
    g.train(was)
    return images


@quietly
def collect_quietly(g: nn.Module, n: int = 3, batch: int = 2) -> list:
    g.eval()  # ok: TL304
    images = [g(z) for z in noise(n, batch, 3)]
    g.train()
    return images


def collect_guarded(g: nn.Module, n: int = 3, batch: int = 2, track: bool = False) -> list:
    g.eval()  # ok: TL304
    guard = contextlib.nullcontext() if track else torch.no_grad()
    with guard:
        return [g(z) for z in noise(n, batch, 3)]


def collect_frozen(g: nn.Module, n: int = 3, batch: int = 2) -> list:
    torch.set_grad_enabled(False)
    try:
        g.eval()  # ok: TL304
        out = []
        for z in noise(n, batch, 3):
            out.append(g(z))
        return out
    finally:
        torch.set_grad_enabled(True)


def force_error(net: nn.Module, batches) -> float:
    """Forces are gradients of the energy, in validation too."""
    net.eval()  # ok: TL304
    total = 0.0
    for pos, want in batches:
        pos = pos.clone().requires_grad_(True)
        energy = net(pos).sum()
        force = -torch.autograd.grad(energy, pos)[0]
        total += float((force - want).abs().mean())
    return total / len(batches)


def invert(g: nn.Module, target, steps: int = 5):
    """Latent search: the generator is in eval mode and the code is trained."""
    g.eval()  # ok: TL304
    z = torch.zeros(1, 3, requires_grad=True)
    opt = torch.optim.Adam([z], lr=0.1)
    for _ in range(steps):
        loss = (g(z) - target).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return z.detach()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    g = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 5))
    assert all(t.grad_fn is not None for t in collect(g))
    for fn in (collect_quietly, collect_guarded, collect_frozen):
        assert not any(t.requires_grad for t in fn(g)), fn
    assert force_error(g, [(torch.randn(2, 3), torch.zeros(2, 3))]) > 0
    assert invert(g, torch.ones(1, 5)).abs().sum() > 0
