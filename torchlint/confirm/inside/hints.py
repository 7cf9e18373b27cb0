"""What a person says of how a class is built and called.

init: values by name, as they are; a text that begins with "=" is an expression: "=nn.LayerNorm".
inputs: values by name. A list of numbers is the shape of a random tensor; a table {shape, kind, limit} says as well
what is in it ("floats", "unit", "ids" below `limit`, "flags", "steps", "complex"); a text is an expression, in which
`size` is 0 for the usual inputs and 1 for longer ones: "torch.randn(2, 16 + 4 * size)". Expressions see torch, nn and
the names of the file.
factory: "package.module:function", which makes the module, or one that has the class in it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from .candidates import Candidate, plainly
from .plans import COMPLEX, FLAGS, FLOATS, IDS, STEPS, UNIT, Array, Constant, Made, Plan

_KINDS = (FLOATS, UNIT, IDS, FLAGS, STEPS, COMPLEX)


class WrongHintError(Exception):
    """A hint that cannot be followed."""


def init_of(hint: Mapping[str, Any], kind: type) -> dict[str, Candidate]:
    """The arguments of the constructor that a hint gives."""
    return {name: _candidate(name, value, kind) for name, value in hint.get("init", {}).items()}


def inputs_in(hint: Mapping[str, Any], kind: type) -> dict[str, Plan]:
    """The inputs that a hint gives."""
    return {name: _plan(name, value, kind) for name, value in hint.get("inputs", {}).items()}


def factory_of(origin: str, kind: type[nn.Module]) -> Callable[[], nn.Module]:
    """What calls the function that "package.module:function" names, and finds the class in what it makes."""
    module_name, _, path = origin.partition(":")
    try:
        function: Any = importlib.import_module(module_name)
        for name in path.split("."):
            function = getattr(function, name)
    except (ImportError, AttributeError, ValueError) as error:
        raise WrongHintError(f"the factory {origin!r} cannot be imported: {error}") from error

    def make() -> nn.Module:
        module = function()
        parts = module.modules() if isinstance(module, nn.Module) else ()
        found = next((part for part in parts if isinstance(part, kind)), None)
        if found is None:
            raise WrongHintError(f"the factory {origin!r} makes no {kind.__name__}")
        return found

    return make


def _candidate(name: str, value: Any, kind: type) -> Candidate:
    if isinstance(value, str) and value.startswith("="):
        code = _compiled(name, value[1:])
        return Candidate(value[1:].strip(), lambda: eval(code, _surroundings(kind)), is_given=True)
    return Candidate(plainly(value).text, lambda: value, is_given=True)


def _plan(name: str, value: Any, kind: type) -> Plan:
    if isinstance(value, str):
        code = _compiled(name, value)
        return Made(lambda size: eval(code, {**_surroundings(kind), "size": size}))
    if isinstance(value, list) and all(type(one) is int for one in value):
        return Array(tuple(value))
    if not isinstance(value, dict):
        return Constant(value)
    shape, what = value.get("shape"), value.get("kind", FLOATS)
    if not isinstance(shape, list) or what not in _KINDS:
        raise WrongHintError(f"the input {name!r} needs a shape, and one of these kinds: {', '.join(_KINDS)}")
    return Array(tuple(shape), what, int(value.get("limit", 2)))


def _compiled(name: str, text: str) -> Any:
    try:
        return compile(text.strip(), f"<{name} of the hint>", "eval")
    except SyntaxError as error:
        raise WrongHintError(f"{name} is no expression: {text!r}") from error


def _surroundings(kind: type) -> dict[str, Any]:
    return {"torch": torch, "nn": nn, **vars(sys.modules[kind.__module__])}
