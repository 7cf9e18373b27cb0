"""A context manager of the project that opens itself again: however deep it goes, it switches no gradients off."""

from contextlib import contextmanager, nullcontext

import torch
from torch import nn


@contextmanager
def timed(depth: int):
    if depth:
        with timed(depth - 1):
            yield
    else:
        yield


@contextmanager
def quiet(depth: int):
    with quiet(depth - 1) if depth else torch.no_grad():
        yield


def scores(model: nn.Module, batches):
    model.eval()  # expect: TL304
    found = []
    with timed(2) if batches else nullcontext():
        for x in batches:
            found.append(model(x).argmax(-1))
    return found


def scores_quietly(model: nn.Module, batches):
    model.eval()  # ok: TL304
    found = []
    with quiet(2):
        for x in batches:
            found.append(model(x).argmax(-1))
    return found


def demonstrate():
    seen = []
    layer = nn.Linear(2, 2)
    layer.register_forward_hook(lambda module, inputs, output: seen.append(output.requires_grad))
    scores(layer, [torch.ones(1, 2)])
    scores_quietly(layer, [torch.ones(1, 2)])
    assert seen == [True, False]
