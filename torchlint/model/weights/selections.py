"""Tests that choose which of many tensors are meant: of the dtype, of the name, of anything that tells them apart."""

from __future__ import annotations

from torchlint.model.events import Evaluated, Event
from torchlint.model.facts import Function
from torchlint.model.frames import last_name
from torchlint.model.terms import (
    Argument,
    Call,
    Comprehension,
    Constant,
    Display,
    Element,
    Operation,
    Subscript,
    Term,
    children,
    mentions,
)
from torchlint.model.weights.enumerated import within

# What every tensor passes, whatever its dtype.
_OF_ANY_TENSOR = frozenset("isinstance is_tensor hasattr callable len type".split())
# Classes that stand for one dtype, or for what learns, which is floating.
_CONTAINERS = frozenset("dict OrderedDict set list defaultdict".split())
_OF_ONE_SORT = frozenset("FloatTensor HalfTensor DoubleTensor BFloat16Tensor LongTensor IntTensor Parameter".split())


def is_selected(event: Event, value: Term) -> bool:
    """True where a test decides which of the values are converted: it asks `value`, or what the loop gives with it, for
    anything but whether it is a tensor, or there at all."""
    if not event.guards():
        return False
    rounds = _rounds_of(value)
    return any(_selects(region.subject, rounds) for region in event.guards())


def _rounds_of(value: Term, depth: int = 12) -> frozenset[object]:
    """What each round, or each call, brings: the element of the innermost loop, or the parameter."""
    if isinstance(value, (Element, Argument)):
        return frozenset((_key(value),))
    parts = (value.index,) if isinstance(value, Subscript) else children(value)
    return frozenset[object]().union(*(_rounds_of(part, depth - 1) for part in parts)) if depth else frozenset()


def _key(term: Term) -> object:
    """One object for each loop variable and each parameter."""
    return term.name if isinstance(term, Argument) else id(term)


def _selects(test: Term, rounds: frozenset[object]) -> bool:
    if isinstance(test, Operation) and test.operator in ("and", "or", "not"):
        return any(_selects(part, rounds) for part in test.parts)
    if not _asks(test, rounds):
        return False
    if isinstance(test, Operation) and test.operator in ("is", "is not"):
        return not any(isinstance(part, Constant) and part.value is None for part in test.parts)
    if isinstance(test, Operation) and test.operator in ("in", "not in") and _starts_empty(test.parts[-1]):
        return False
    is_plain = isinstance(test, Call) and last_name(test) in _OF_ANY_TENSOR and not mentions(test, _OF_ONE_SORT)
    return not is_plain and not isinstance(test, Element)


def _asks(test: Term, rounds: frozenset[object], depth: int = 12) -> bool:
    """True where a test is made from what the round brings, its dtype and its shape included."""
    if _key(test) in rounds:
        return True
    return depth > 0 and any(_asks(part, rounds, depth - 1) for part in children(test))


def _starts_empty(container: Term) -> bool:
    """True for what the program fills itself: a key that is in it was met before, whatever stands under it."""
    if isinstance(container, Display):
        return not container.parts
    return isinstance(container, Call) and last_name(container) in _CONTAINERS and not container.inputs


def is_filtered(listed: Comprehension, function: Function) -> bool:
    """True where a comprehension takes only some of what it walks over: something is evaluated inside that is no part
    of its elements and of what it walks over."""
    parts = {id(part) for part in within(listed)}
    first, last = listed.place[:2], listed.place[2:]
    return any(
        isinstance(event, Evaluated)
        and first <= event.term.place[:2]
        and event.term.place[2:] <= last
        and id(event.term) not in parts
        for event in function.events
    )
