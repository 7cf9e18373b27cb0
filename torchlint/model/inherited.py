"""Inherited methods that do something else in a class than where they are written: template methods and mixins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.frames import Frame, self_use
from torchlint.model.terms import Argument, Attribute, Captured

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.facts import Function


def changed_methods(view: ModuleClass) -> Iterator[Frame]:
    """The inherited methods of a class that run through what it brings: a method that it overrides, an attribute that
    it assigns; also through methods of its bases that do. None where a base of the class is changed in the same way."""
    brought = _brought(view)
    if not brought or len(view.ancestors) == 1:
        return
    asked = {id(one): _asked(one) for one in view.methods}
    inherited = [one for one in view.methods if view.depth_of(one)]
    changed: set[str] = set()
    while fresh := [one for one in inherited if one.name not in changed and asked[id(one)] & (brought | changed)]:
        changed.update(one.name for one in fresh)
    yield from (view.frame(one) for one in inherited if one.name in changed and one.name != "__init__")


def _brought(view: ModuleClass) -> frozenset[str]:
    """What a class itself says that its bases' methods may ask for."""
    own = view.facts.methods.values()
    written = (name for method in own for name in self_use(method).writes)
    return frozenset((*view.facts.methods, *view.facts.values, *written))


def _asked(method: Function) -> frozenset[str]:
    """The names that a method asks its own object for."""
    known: frozenset[str] | None = method.derived.get("asked of self")
    if known is None:
        calls = (call.callee for call in method.calls)
        called = (
            one.name for one in calls if isinstance(one, Attribute) and isinstance(one.base, (Argument, Captured))
        )
        inner = (name for nested in method.nested for name in _asked(nested))
        known = method.derived["asked of self"] = frozenset((*self_use(method).reads, *called, *inner))
    return known
