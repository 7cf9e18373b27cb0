"""What a constructor registers, or assigns, at which line of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import torch
from torch import nn

from .subject import Facts, Subject
from .trace import line_in

_CALLS = ("register_buffer", "register_parameter", "register_module", "add_module", "__setattr__")


def registrations(subject: Subject) -> Facts:
    """Build it: each name that is registered, with its line. hidden: what getattr() does not give back.

    empty: those that are registered with None.

    An assignment counts where it is one of a module or a Parameter.
    """
    with _registering(subject.file) as (found, empty):
        module = subject.recipe.build()
    return {"raised": "", "registered": found, "empty": empty, "hidden": sorted(_hidden(module))}


@contextmanager
def _registering(file: str) -> Iterator[tuple[list[list[Any]], list[list[Any]]]]:
    found, empty = list[list[Any]](), list[list[Any]]()
    before = {name: getattr(nn.Module, name) for name in _CALLS}
    for name, function in before.items():
        setattr(nn.Module, name, _noted(function, file, found, empty))
    try:
        yield found, empty
    finally:
        for name, function in before.items():
            setattr(nn.Module, name, function)


def _noted(
    function: Callable[..., Any], file: str, found: list[list[Any]], empty: list[list[Any]]
) -> Callable[..., Any]:
    is_assignment = function.__name__ == "__setattr__"

    def call(owner: nn.Module, /, *given: Any, **named: Any) -> Any:
        result = function(owner, *given, **named)
        values = [*given[1:2], *(named[key] for key in ("module", "param", "tensor", "value") if key in named)]
        wanted = (nn.Module, nn.Parameter) if is_assignment else (nn.Module, torch.Tensor)
        if values and isinstance(values[0], wanted):
            found.append([line_in(file), str(given[0] if given else named["name"])])
        elif values and values[0] is None and not is_assignment:
            empty.append([line_in(file), str(given[0] if given else named["name"])])
        return result

    return call


def refused_assignments(build: Callable[[], object], file: str) -> list[list[Any]]:
    """The assignments that raise since nn.Module was not initialised: each with its line in the file and its name.

    build: builds the object, if need be in several tries. What raises is passed over, so that the next one is tried.
    """
    refused: list[list[Any]] = []
    assign = nn.Module.__setattr__

    def pass_over(owner: nn.Module, name: str, value: Any) -> None:
        try:
            assign(owner, name, value)
        except AttributeError as error:
            if "before Module.__init__() call" not in str(error):
                raise
            refused.append([line_in(file), name])
            object.__setattr__(owner, name, value)

    with mock.patch.object(nn.Module, "__setattr__", pass_over):
        build()
    return refused


def _hidden(module: nn.Module) -> Iterator[str]:
    for registry in (module._parameters, module._buffers, module._modules):
        for name, value in registry.items():
            if value is not None and getattr(module, name, None) is not value:
                yield f"self.{name}"
