"""Who calls a function, as far as its file says: by the names that the code of others uses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from torch import nn

_MOST = 3
_DEPTH = 4


def functions_that_call(function: Any) -> list[FunctionType]:
    """The functions of the file that name a function."""
    own = [one for one in _in_file_of(function) if isinstance(one, FunctionType)]
    own = [one for one in own if one.__module__ == function.__module__ and one is not function]
    return [one for one in own if getattr(function, "__name__", "") in names_in(one.__code__)][:_MOST]


def modules_that_call(function: Any) -> list[type[nn.Module]]:
    """The modules of the file that name a function, or one that names it."""
    return [kind for kind in _classes_that_call(function) if issubclass(kind, nn.Module)][:_MOST]


def has_callers(function: Any) -> bool:
    """True where something in the file calls the function, and knows better what it is given."""
    return bool(functions_that_call(function) or _classes_that_call(function))


def callers_in(kind: type, member: str) -> set[str]:
    """The methods of a class that name another one."""
    return {name for name, code in methods_of(kind) if member in names_in(code) and name != member}


def open_callers(kind: type, member: str) -> list[str]:
    """The methods that lead to another one, and that no method of the class calls, but for constructors and forward."""
    found, waiting = dict[str, None](), [member]
    while waiting:
        callers = sorted(callers_in(kind, waiting.pop()).difference(found))
        found.update(dict.fromkeys(callers))
        waiting += callers
    is_plain = [name for name in found if callable(getattr(kind, name, None)) and name not in ("__init__", "forward")]
    return [name for name in is_plain if not callers_in(kind, name)][:_MOST]


def is_for_building(kind: type, member: str) -> bool:
    """True for a method that nothing but the constructor of its class calls, itself or by way of others."""
    found, callers = {member}, {member}
    for _ in range(_DEPTH):
        callers = {name for one in callers if one != "__init__" for name in callers_in(kind, one)}
        found |= callers
    return len(found) > 1 and all(name == "__init__" or callers_in(kind, name) for name in found)


def names_in(code: CodeType) -> set[str]:
    """The names that a function uses, also in what is made inside it."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return {*code.co_names, *(name for one in inner for name in names_in(one))}


def _in_file_of(function: Any) -> list[Any]:
    home = sys.modules.get(getattr(function, "__module__", ""))
    return list(vars(home).values()) if home is not None else []


def _classes_that_call(function: Any) -> list[type]:
    here = _in_file_of(function)
    names = {getattr(function, "__name__", "")}
    for one in here:
        if isinstance(one, FunctionType) and names.intersection(names_in(one.__code__)):
            names.add(one.__name__)
    kinds = dict.fromkeys(one for one in here if isinstance(one, type))
    own = [kind for kind in kinds if kind.__module__ == getattr(function, "__module__", "")]
    return [kind for kind in own if any(names.intersection(names_in(code)) for _, code in methods_of(kind))]


def methods_of(kind: type) -> Iterator[tuple[str, CodeType]]:
    """The methods and properties of a class and its bases, but for torch's, with their code; overrides come first."""
    for owner in kind.__mro__:
        if owner is nn.Module:
            return
        for name, member in vars(owner).items():
            function = getattr(member, "__func__", getattr(member, "fget", member))
            function = getattr(function, "__wrapped__", function)
            if isinstance(function, FunctionType):
                yield name, function.__code__
