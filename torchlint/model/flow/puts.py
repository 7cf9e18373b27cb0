"""What a function puts into lists and dicts: those that it made itself, and those that are attributes."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.facts import Function
from torchlint.model.terms import Attribute, Call, Choice, Term

PUTS = frozenset("append extend insert add appendleft".split())


def put_into(display: Term, function: Function) -> Iterator[Term]:
    """What a function appends to a list, or stores under a key of a dict, that it made itself."""
    yield from (value for _, value in puts_at(display, function))


def puts_at(display: Term, function: Function) -> list[tuple[Event, Term]]:
    """The same, each with the event that puts it there."""
    known: dict[int, list[tuple[Event, Term]]] | None = function.derived.get("put into")
    if known is None:
        known = function.derived["put into"] = {}
        for event in function.events:
            for base, value in _put_by(event):
                for one in base.options if isinstance(base, Choice) else (base,):
                    known.setdefault(id(one), []).append((event, value))
    return known.get(id(display), [])


def puts_of(function: Function) -> dict[str, list[Term]]:
    """What a function puts into attributes, by the attribute's name."""
    known: dict[str, list[Term]] | None = function.derived.get("puts")
    if known is None:
        known = function.derived["puts"] = {}
        for event in function.events:
            for base, value in () if isinstance(event, ItemWrite) else _put_by(event):
                if isinstance(base, Attribute):
                    known.setdefault(base.name, []).append(value)
    return known


def puts_under(function: Function, name: str) -> bool:
    return name in puts_of(function)


def _put_by(event: Event) -> Iterator[tuple[Term, Term]]:
    """The container and the value of x.append(v) and x[key] = v."""
    if isinstance(event, ItemWrite):
        yield event.base, event.value
        return
    callee = event.term.callee if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    if isinstance(callee, Attribute) and callee.name in PUTS and isinstance(event, Evaluated):
        assert isinstance(event.term, Call)
        yield from ((callee.base, value) for value in event.term.arguments[-1:])
