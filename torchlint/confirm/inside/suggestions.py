"""Arguments that an error suggests in the place of those that led to it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from .candidates import Candidate, Through, plainly, tensors
from .clues import Wish

Arguments = Mapping[str, Candidate]


def literal(candidate: Candidate) -> Any:
    """The value of a candidate that is written as a number, a text or a tuple of such; None for another one."""
    try:
        return ast.literal_eval(candidate.text)
    except (ValueError, SyntaxError):
        return None


def names(text: str, name: str) -> bool:
    """True where a text speaks of a name."""
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


_WANTS_SEVERAL = re.compile(r"not (iterable|subscriptable)|has no len|be tuple")
_WANTS_ONE = re.compile(r"(tuple|list)' and 'int|int' and '(tuple|list)|must be (int|real)|'tuple' object cannot")


def reshaped(candidate: Candidate, error: Exception) -> Iterator[Candidate]:
    """A number as a pair, a pair as a number, or what can be called, as the error asks."""
    message, value = str(error), literal(candidate)
    count = re.search(r"values to unpack \(expected (\d+)", message)
    if type(value) in (int, float) and (count or _WANTS_SEVERAL.search(message)):
        yield from (plainly((value,) * number) for number in ([int(count[1])] if count else [2, 4, 1]))
    if isinstance(value, (tuple, list)) and value:
        if count:
            yield plainly(tuple(value[:1]) * int(count[1]))
        if "index out of range" in message:
            yield from (plainly(tuple(value[:1]) * number) for number in (4, 3, 5))
        if _WANTS_ONE.search(message):
            yield plainly(value[0])
    if "not callable" in message:
        yield Candidate("nn.Identity", lambda: Through)
        yield Candidate("nn.Identity()", Through)


def with_tensor(arguments: Arguments, error: Exception, text: str) -> Iterator[Arguments]:
    """With a tensor where a number is no tensor."""
    message = str(error)
    found = re.search(r"Tensor.*(not int|required|not tuple)|'int' object has no attribute '(\w+)'", message)
    if found and (not found[2] or hasattr(torch.Tensor, found[2])):
        named = [name for name in arguments if names(text, name)]
        for name in named or arguments:
            if type(literal(arguments[name])) in (int, tuple, float):
                yield from ({**arguments, name: one} for one in tensors(torch.Tensor))


def with_object(arguments: Arguments, error: Exception) -> Iterator[Arguments]:
    """With an object of a class where the class itself was given, or the class where it was the object."""
    named = {"Through": "nn.Identity", **{found: f"nn.{found}" for found in re.findall(r"'(\w+)'", str(error))}}
    if "NoneType" in str(error) or not isinstance(error, (TypeError, AttributeError, AssertionError)):
        return
    for name, candidate in arguments.items():
        is_it = candidate.text in named.values() or (candidate.text.startswith("nn.") and "type object" in str(error))
        if is_it and not candidate.text.endswith(")"):
            yield {**arguments, name: _instance(candidate)}


def _instance(candidate: Candidate) -> Candidate:
    def make() -> Any:
        return candidate.make()()

    return Candidate(f"{candidate.text}()", make)


def granted(arguments: Arguments, wish: Wish) -> Iterator[Arguments]:
    """With the value that a condition asks for, in the argument that it names, or in one that has that value now."""
    if wish.wanted is None or not isinstance(wish.wanted, (int, float, str, tuple)):
        return
    for name, candidate in arguments.items():
        value = literal(candidate)
        is_it = wish.expression.removeprefix("self.") == name
        if is_it or (type(wish.found) is int and type(wish.wanted) is int and value == wish.found):
            yield {**arguments, name: plainly(wish.wanted)}
    if wish.expression.isidentifier() and wish.expression not in arguments:
        yield {**arguments, wish.expression: plainly(wish.wanted)}
    size = re.match(r"len\((\w+)\)$", wish.expression)
    if size and size[1] in arguments and type(wish.wanted) is int and 0 < wish.wanted < 64:
        value = literal(arguments[size[1]])
        if isinstance(value, (tuple, list)) and value:
            yield {**arguments, size[1]: plainly(type(value)(value[:1]) * wish.wanted)}


def halved(default: Any) -> Iterator[Candidate]:
    """Smaller numbers than a default."""
    if type(default) is int and default > 1:
        yield from (plainly(value) for value in (4, default // 2))
