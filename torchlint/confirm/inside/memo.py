"""Methods that functools remembers: their tables are made visible, and emptied to see what they keep alive."""

from __future__ import annotations

import functools
import gc
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn

from .subject import Facts, Subject

_PLAIN = (bool, int, float, str, bytes, type(None))


def show_tables(kind: type[nn.Module], members: Iterable[str]) -> None:
    """Let each module hold under "power()" what the lru_cache of its method power() remembers of it.

    The table itself cannot be looked into. What is shown is the very tensor that the table holds.
    """
    for name in members:
        for owner in kind.__mro__:
            held = vars(owner).get(name)
            function = held.fget if isinstance(held, property) else held
            if isinstance(function, functools._lru_cache_wrapper):
                shown = _showing(name, function)
                setattr(owner, name, property(shown) if isinstance(held, property) else shown)
                break


def _showing(name: str, remembering: functools._lru_cache_wrapper[Any]) -> Callable[..., Any]:
    @functools.wraps(remembering)
    def call(module: nn.Module, *arguments: Any, **named: Any) -> Any:
        result = remembering(module, *arguments, **named)
        table = vars(module).setdefault(f"{name}()", {})
        table[_key(arguments, named)] = result
        return result

    call.cache_clear = remembering.cache_clear  # type: ignore[attr-defined]
    call.cache_info = remembering.cache_info  # type: ignore[attr-defined]
    return call


def _key(arguments: tuple[Any, ...], named: dict[str, Any]) -> str:
    values = [*arguments, *named.items()]
    return repr(values) if all(isinstance(one, (*_PLAIN, tuple)) for one in values) else f"{len(values)} values"


def freed(subject: Subject) -> Facts:
    """Build it, run it, let go of it: the methods whose tables alone keep it alive. others: whether anything does."""
    kept = [name for name in subject.members if _keeps_alive(subject, name)]
    return {"raised": "", "kept by": [f"self.{name}" for name in kept]}


def _keeps_alive(subject: Subject, name: str) -> bool:
    module = subject.recipe.build()
    module.eval()
    with torch.no_grad():
        subject.recipe.run(module)
    tables = {one: table for one in dir(type(module)) if (table := _clearing(type(module), one)) is not None}
    own = tables.pop(name, None)
    for clear in tables.values():
        clear()
    watched = weakref.ref(module)
    del module
    gc.collect()
    if own is None or watched() is None:
        return False
    own()
    gc.collect()
    return watched() is None


def _clearing(kind: type, name: str) -> Callable[[], None] | None:
    """What empties the table of a method; None where it has none."""
    held = next((vars(owner)[name] for owner in kind.__mro__ if name in vars(owner)), None)
    return getattr(held.fget if isinstance(held, property) else held, "cache_clear", None)
