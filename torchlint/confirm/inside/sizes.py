"""Classes whose defaults are those of a large model, built in a small size."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from .candidates import Candidate, by_name, plainly

SLOW_SECONDS = 0.3
# Numbers up to this are left alone, and those that are no sizes.
_SMALL = 4
_DEPTH = re.compile(r"depths?$|layers?$|blocks$")
_DEEP = 2
_SIDES = re.compile(r"resolution|^(img|image|input|feat)_?size$")
_NO_SIZE = re.compile(r"stride|dilation|pad|drop|seed|offset|^max_|_id$")
Arguments = Mapping[str, Candidate]


def is_deep(kind: type) -> bool:
    """True where a default says that there are many layers, or large maps of features."""
    return any(_DEPTH.search(name) or _SIDES.search(name) for name, _ in _reduced(kind))


def smaller(kind: type, found: Arguments) -> Arguments | None:
    """The arguments, and small sizes for others whose defaults are large; None where that does not build."""
    small = {**found, **{name: one for name, one in _reduced(kind) if name not in found}}
    try:
        kind(**{name: one.make() for name, one in small.items()})
    except Exception:
        return None  # sizes that go together only as they are
    return small


def as_by_default(kind: type, arguments: Arguments) -> Arguments:
    """The arguments without those that `smaller` gave."""
    given = {name for name, one in _reduced(kind) if name in arguments and arguments[name].text == one.text}
    return {name: one for name, one in arguments.items() if name not in given}


def _reduced(kind: type) -> list[tuple[str, Candidate]]:
    found = []
    for name, parameter in inspect.signature(kind).parameters.items():
        value = None if _NO_SIZE.search(name) else _small_value(name, parameter.default)
        if value is not None:
            found.append((name, plainly(value)))
    return found


def _small_value(name: str, default: Any) -> Any:
    """A smaller value than a default; None where it is small enough, or no size."""
    if _DEPTH.search(name) and isinstance(default, (tuple, list)) and all(type(one) is int for one in default):
        return type(default)(min(one, _DEEP) for one in default)
    usual = next((one.make() for one in by_name(name)), None)
    if isinstance(default, tuple) and default and all(type(one) is int for one in default) and type(usual) is int:
        sides = tuple(min(one, usual) for one in default)
        return sides if max(default) > max(usual, _SMALL) and len(set(default)) == 1 else None
    is_large = type(default) is int and type(usual) is int and default > max(usual, _SMALL)
    return usual if is_large else None
