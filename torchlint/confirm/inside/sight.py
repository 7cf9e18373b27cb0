"""The classes in sight of a class: those that may be its configuration, or one of its parts."""

from __future__ import annotations

import dis
import functools
import sys
from typing import Any

from torch import nn

BASES = ("PretrainedConfig", "PreTrainedConfig", "GenerationConfig")


def configurations_near(kind: type) -> list[type]:
    """The configuration classes in sight of a class, the one with the most similar name first."""
    folder = kind.__module__.rpartition(".")[0]
    modules = [sys.modules[kind.__module__]]
    modules += [
        one for name, one in list(sys.modules.items()) if name.startswith(f"{folder}.config") and one is not None
    ]
    found = {
        name: value
        for module in modules
        for name, value in list(vars(module).items())
        if isinstance(value, type) and name.endswith(("Config", "Args")) and name not in BASES
    }
    return [found[name] for name in sorted(found, key=lambda name: (-_shared(name, kind.__name__), len(name)))[:4]]


def _shared(one: str, other: str) -> int:
    """How many letters two names begin with in common."""
    pairs = zip(one.lower(), other.lower(), strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def holders(kind: type, attribute: str, name: str) -> list[type]:
    """The modules of the same package whose constructor, or whose class, sets an attribute; the likeliest first."""
    package = kind.__module__.partition(".")[0]
    here = vars(sys.modules[kind.__module__])
    found: dict[type, int] = {}
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == package and module is not None:
            for value in list(vars(module).values()):
                is_module = isinstance(value, type) and issubclass(value, nn.Module) and value is not kind
                if is_module and has(value, attribute):
                    is_here = kind.__module__ == value.__module__ or value.__name__ in here
                    found[value] = 2 * is_here + (name.replace("_", "").lower() in value.__name__.lower())
    return sorted(found, key=lambda one: (-found[one], len(one.__name__)))[:3]


def has(kind: type, attribute: str) -> bool:
    """True where a class, or its constructor, sets an attribute."""
    if hasattr(kind, attribute):
        return attribute not in vars(nn.Module)
    for owner in kind.__mro__:
        constructor = owner.__dict__.get("__init__")
        if owner is nn.Module:
            return False
        code = getattr(constructor, "__code__", None)
        if code is not None and attribute in code.co_names:
            return _stores(code, attribute)
    return False


@functools.lru_cache(maxsize=4096)
def _stores(code: Any, attribute: str) -> bool:
    return any(one.opname == "STORE_ATTR" and one.argval == attribute for one in dis.get_instructions(code))
