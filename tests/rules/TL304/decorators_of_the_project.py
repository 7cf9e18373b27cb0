"""A decorator of the project that runs the function with gradients off, and decorators that do something else."""

import functools
import time
from functools import wraps

import torch
from torch import nn

still = torch.no_grad()
held = []


def without_graph(function):
    @wraps(function)
    def run(*args, **kwargs):
        with torch.no_grad():
            return function(*args, **kwargs)

    return run


def without_graph_on(device):
    def decorate(function):
        @functools.wraps(function)
        @torch.inference_mode()
        def run(*args, **kwargs):
            return function(*args, **kwargs)

        return run

    return decorate


def wrapped_by_torch(function):
    return torch.no_grad()(function)


def switching(function):
    def run(*args, **kwargs):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        try:
            return function(*args, **kwargs)
        finally:
            torch.set_grad_enabled(before)

    return run


def timed(function):
    @wraps(function)
    def run(*args, **kwargs):
        start = time.time()
        found = function(*args, **kwargs)
        return found, time.time() - start

    return run


class Quiet:
    def __init__(self, function):
        self.function = function

    def __call__(self, *args, **kwargs):
        with torch.no_grad():
            return self.function(*args, **kwargs)


@without_graph
def by_a_wrapper(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model(x))


@without_graph_on("cpu")
def by_a_made_wrapper(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model(x))


@wrapped_by_torch
def by_the_decorator_of_torch(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model(x))


@switching
def by_statements(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model(x))


@still
def by_a_name_of_the_file(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model(x))


@Quiet
def by_an_object(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model(x))


def by_a_nested_function(model, loader):
    @torch.no_grad()
    def predict(x):
        return model(x)

    model.eval()  # ok: TL304
    for x in loader:
        held.append(predict(x))


@timed
def only_timed(model, loader):
    model.eval()  # expect: TL304
    for x in loader:
        held.append(model(x))


def demonstrate():
    model, loader = nn.Linear(2, 2), [torch.ones(1, 2)]
    quiet = (by_a_wrapper, by_a_made_wrapper, by_the_decorator_of_torch, by_statements, by_a_name_of_the_file)
    for evaluate in (*quiet, by_an_object, by_a_nested_function):
        held.clear()
        evaluate(model, loader)
        assert not held[0].requires_grad, evaluate
    held.clear()
    only_timed(model, loader)
    assert held[0].requires_grad


if __name__ == "__main__":
    demonstrate()
