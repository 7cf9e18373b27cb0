"""Inherited methods that do something else in a class than where they are written: template methods and mixins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.frames import Frame, self_use
from torchlint.model.terms import Argument, Attribute, Captured

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.facts import Function


# A long method of a base in another file is that of a framework, with many subclasses: it is not judged for each.
_MAX_EVENTS_ELSEWHERE = 40


def changed_methods(view: ModuleClass) -> Iterator[Frame]:
    """The inherited methods of a class that ask for what it brings, a method that it overrides or an attribute that it
    assigns; in the file of the class also those that ask for such methods in turn."""
    brought = _brought(view)
    if not brought or len(view.ancestors) == 1:
        return
    inherited = [one for one in view.methods if view.depth_of(one) and _is_near(one, view)]
    asking = {id(one) for one in inherited if _asked(one) & brought}
    names = {one.name for one in inherited if id(one) in asking}
    here = [one for one in inherited if one.path == view.path]
    while fresh := [one for one in here if id(one) not in asking and _asked(one) & names]:
        asking.update(map(id, fresh))
        names.update(one.name for one in fresh)
    yield from (view.frame(one) for one in inherited if id(one) in asking)


def _is_near(method: Function, view: ModuleClass) -> bool:
    return method.path == view.path or len(method.events) <= _MAX_EVENTS_ELSEWHERE


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
