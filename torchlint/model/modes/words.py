"""Words of a mode change: what train() and eval() may touch, and which functions ask for the mode, by names alone. No
term is evaluated, so it is a cheap bound: what is not found here is no business of a mode change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Delete, Evaluated, Event, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Moment, is_decorated, last_name, self_use
from torchlint.model.terms import Argument, Attribute, Call, Term, children

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MODES = frozenset("mode training is_training train".split())
_REGISTRIES = frozenset("__dict__ _buffers _parameters _modules".split())
_DEPTH = 12


def storing_for_mode(
    module: ModuleClass, storing: Iterable[Function], starts: list[Function], switching: Iterable[Moment]
) -> list[Function]:
    """Those of `storing` that may store what a mode change, whose events are `switching`, knows of, or that may run in
    one mode alone when the methods `starts` run."""
    touched = _touched(switching)
    known = [one for one in storing if touched is None or not _words(one).isdisjoint(touched) or _names_freely(one)]
    others = [one for one in storing if one not in known]
    return known + [one for one in others if _runs_in_mode(module, one, starts)]


def _touched(moments: Iterable[Moment]) -> frozenset[str] | None:
    """The attributes that events may write, empty or delete; None where a name is not written out."""
    found: set[str] = set()
    for moment in moments:
        event = moment.event
        if isinstance(event, (Write, Delete)):
            if not isinstance(event.attribute, str):
                return None
            found.add(event.attribute)
        names = frozenset(_names_in(_target(event)))
        if names & _REGISTRIES or (isinstance(event, Evaluated) and last_name(event.term) == "register_buffer"):
            return None
        found |= names
    return frozenset(found)


def _target(event: Event) -> Term | None:
    """What an event writes into, or calls a method of."""
    if isinstance(event, (Write, Delete, ItemWrite)):
        return event.base
    callee = event.term.callee if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    return callee.base if isinstance(callee, Attribute) else None


def _names_in(term: Term | None, depth: int = _DEPTH) -> Iterator[str]:
    """The names of attributes anywhere in a term."""
    if term is None:
        return
    if isinstance(term, Attribute):
        yield term.name
    for part in children(term) if depth else ():
        yield from _names_in(part, depth - 1)


def _words(function: Function) -> frozenset[str]:
    """The names of the attributes that a function may store into; found once."""
    known: frozenset[str] | None = function.derived.get("stored words")
    if known is None:
        steps = self_use(function).steps
        written = {step.attribute for step in steps if isinstance(step, Write) and isinstance(step.attribute, str)}
        known = frozenset(written.union(*(_names_in(_target(step)) for step in steps)))
        function.derived["stored words"] = known
    return known


def _names_freely(function: Function) -> bool:
    """True where a function stores under a name that it works out, or keeps what it returns under its own."""
    if is_decorated(function, "cached_property"):
        return True
    return any(
        (isinstance(step, Write) and not isinstance(step.attribute, str))
        or (isinstance(step, Evaluated) and last_name(step.term) == "register_buffer")
        for step in self_use(function).steps
    )


def _runs_in_mode(module: ModuleClass, function: Function, starts: list[Function]) -> bool:
    """True where the function, or one that leads to it, does something under a test of the mode."""
    met = {id(one): one for one in starts}

    def is_wanted(one: Function) -> bool:
        met[id(one)] = one
        return one is function

    leading = module.entering.leading_to(starts, is_wanted)
    return _asks_mode(function) or any(_asks_mode(met[one]) for one in leading)


def _asks_mode(function: Function) -> bool:
    """True where a condition in a function may be one of the mode; found once."""
    known: bool | None = function.derived.get("asks mode")
    if known is None:
        regions = {id(region): region for event in self_use(function).steps for region in event.guards()}
        known = function.derived["asks mode"] = any(_is_mode(region.subject) for region in regions.values())
    return known


def _is_mode(term: Term, depth: int = _DEPTH) -> bool:
    if isinstance(term, (Argument, Attribute)) and term.name in _MODES:
        return True
    return depth > 0 and any(_is_mode(part, depth - 1) for part in children(term))
