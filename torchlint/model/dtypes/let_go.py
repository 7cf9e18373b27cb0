"""What a function was given and nobody reads once it has returned: a write into it changes nothing for anyone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from torchlint.knowledge.conversions import CONVERSIONS, SHARING_METHODS
from torchlint.knowledge.lookup import is_view
from torchlint.model.events import Evaluated, Event, ItemWrite, RegionKind, Return, Write
from torchlint.model.flow.callers import callers_of, constructions
from torchlint.model.frames import Frame, Moment, has_self, last_name
from torchlint.model.terms import (
    Attribute,
    Call,
    Constant,
    Display,
    Element,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
    children,
)
from torchlint.model.weights.enumerated import is_in_place

_KEEPS = frozenset("append extend insert add put appendleft setdefault update".split())
# What gives new tensors in each round.
_LOADERS = re.compile(r".*(load|batches|prefetch).*|dl", re.IGNORECASE)
_COMPARES = frozenset("== != < <= > >=".split())
_WRAPS = frozenset("enumerate tqdm iter zip".split())


def is_let_go(name: str, frame: Frame) -> bool:
    """True where the project calls a function, and each caller passes for the parameter what it has made itself and
    reads no more. False where no call is in sight."""
    function = frame.function
    names = [parameter.name for parameter in function.parameters]
    if name not in names or frame.outer is not None:
        return False
    calls = list(_calls(frame))
    return bool(calls) and all(_is_let_go_by(one, names.index(name), name, has_self(function)) for one in calls)


def _calls(frame: Frame) -> Iterator[Moment]:
    if frame.function.name != "__init__":
        yield from callers_of(frame)
    elif frame.view is not None:
        for call, caller in constructions(frame.view):
            event = next((one for one in caller.function.events if _is_of(one, call)), None)
            if event is not None:
                yield Moment(event, caller)


def _is_of(event: Event, term: Term) -> bool:
    return isinstance(event, Evaluated) and event.term is term


def _is_let_go_by(moment: Moment, index: int, name: str, is_method: bool) -> bool:
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    given = call.argument(index - is_method, name) if isinstance(call, Call) else None
    way = list(_way(given)) if given is not None else []
    if not way or not _is_new(way[-1]):
        return False
    events = moment.frame.function.events
    before = True
    for event in events:
        if event is moment.event:
            before = False
        elif _keeps(event, way) or (not before and _reads(event, way)):
            return False
    return _is_made_each_round(way[-1], moment.event, events)


def _way(term: Term) -> Iterator[Term]:
    """A term and what it is a part or a view of, up to what made it."""
    yield term
    if isinstance(term, Subscript) and _copies(term.index):
        return
    if isinstance(term, (Item, Subscript)) or (isinstance(term, Attribute) and term.name == "data"):
        yield from _way(term.base)
    elif isinstance(term, Call) and isinstance(term.callee, Attribute):
        method = term.callee.name
        if method in CONVERSIONS or method in SHARING_METHODS or is_view(method) or is_in_place(method):
            yield from _way(term.callee.base)


def _copies(index: Term) -> bool:
    """True for x[[0, 2]] and x[x > 0]: a list and a mask copy what they select."""
    if isinstance(index, Display) and index.kind == "tuple":
        return any(map(_copies, index.parts))
    return (isinstance(index, Display) and index.kind == "list") or (
        isinstance(index, Operation) and index.operator in _COMPARES
    )


def _is_new(term: Term) -> bool:
    """True for what a call, an operator or a list of indices has made, and for a batch of a loader."""
    if isinstance(term, Element):
        iterable = term.iterable
        while isinstance(iterable, Call) and last_name(iterable) in _WRAPS and iterable.arguments:
            iterable = iterable.arguments[0]
        name = iterable.callee if isinstance(iterable, Call) else iterable
        return _LOADERS.fullmatch(getattr(name, "name", "")) is not None
    if isinstance(term, Subscript):
        return _copies(term.index)
    return isinstance(term, Call) or (isinstance(term, Operation) and not term.operator.endswith("="))


def _is_made_each_round(made: Term, event: Event, events: tuple[Event, ...] | list[Event]) -> bool:
    """False where a loop calls with what was made before it: the next round gives the same again."""
    if isinstance(made, Element):
        return True
    birth = next((one for one in events if _is_of(one, made)), None)
    around = birth.regions if birth is not None else ()
    loops = (region for region in event.regions if region.kind is RegionKind.LOOP)
    return all(any(loop is one for one in around) for loop in loops)


def _keeps(event: Event, way: list[Term]) -> bool:
    if isinstance(event, (Write, ItemWrite)):
        return _holds(_within(event.value), way)
    call = event.term if isinstance(event, Evaluated) else None
    return isinstance(call, Call) and last_name(call) in _KEEPS and _holds(call.inputs, way)


def _reads(event: Event, way: list[Term]) -> bool:
    if isinstance(event, Return):
        return _holds(_within(event.value), way)
    if not isinstance(event, Evaluated) or (isinstance(event.term, Subscript) and _is_another_part(event.term, way)):
        return False
    return any(_holds(_within(part), way) for part in children(event.term))


def _within(term: Term) -> Iterator[Term]:
    """A term, and what it holds where it is a container that is written out: that is no event of its own."""
    yield term
    if isinstance(term, (Display, Starred)):
        for part in children(term):
            yield from _within(part)


def _is_another_part(term: Subscript, way: list[Term]) -> bool:
    """True for batch["image"], where batch["boxes"] was given."""
    own = [one.index for one in way if isinstance(one, Subscript) and one.base is term.base]
    keys = [one.value if isinstance(one, Constant) else None for one in (term.index, *own)]
    return len(keys) > 1 and None not in keys and keys[0] not in keys[1:]


def _holds(terms: Iterable[Term], way: list[Term]) -> bool:
    return any(term is one for term in terms for one in way)
