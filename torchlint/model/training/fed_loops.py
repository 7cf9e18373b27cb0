"""Loops that feed a call: each round gives it another input, as an element, as something computed, or written into a
tensor that stays (`x.data.copy_(batch)`)."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated, Event, ItemWrite, Region, Write
from torchlint.model.flow.same_object import keys_of
from torchlint.model.frames import Frame, Moment
from torchlint.model.terms import Attribute, Call, Display, Element, Subscript, Term, children

_REACH = 12


def feeds(loop: Region, moment: Moment) -> bool:
    """True where each round gives the call another input."""
    if isinstance(loop.subject, Display) or not isinstance(moment.event, Evaluated):
        return False
    inside = [event for event in moment.frame.function.events if loop in event.regions]
    made = {
        id(event.term) for event in inside if isinstance(event, Evaluated) and isinstance(event.term, (Call, Subscript))
    }
    inputs = moment.event.term.inputs if isinstance(moment.event.term, Call) else ()
    if any(_is_of_round(term, loop, made, _REACH) for term in inputs):
        return True
    return any(_is_filled(term, loop, made, inside, moment.frame) for term in inputs)


def is_fed_by_element(loop: Region, moment: Moment) -> bool:
    """True where an input of the call comes from what the loop runs over."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    return isinstance(call, Call) and any(_is_of_round(term, loop, set(), _REACH) for term in call.inputs)


def _is_of_round(term: Term, loop: Region, made: set[int], depth: int) -> bool:
    if id(term) in made or (isinstance(term, Element) and term.iterable is loop.subject):
        return True
    return depth > 0 and any(_is_of_round(part, loop, made, depth - 1) for part in children(term))


def _is_filled(term: Term, loop: Region, made: set[int], inside: list[Event], frame: Frame) -> bool:
    """True where a round writes something of its own into the tensor that an input is."""
    keys = keys_of(term, frame)
    return any(
        keys_of(_root(target), frame) & keys and any(_is_of_round(one, loop, made, _REACH) for one in values)
        for event in inside
        for target, values in _fills(event)
    )


def _fills(event: Event) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """The tensors that an event writes into, each with what is written: x.copy_(y), x.data.resize_(n).copy_(y),
    x[..] = y, x.data = y."""
    if isinstance(event, ItemWrite) or (isinstance(event, Write) and event.attribute == "data"):
        yield event.base, (event.value,)
    elif isinstance(event, Evaluated) and isinstance(event.term, Call):
        callee = event.term.callee
        if isinstance(callee, Attribute) and callee.name.endswith("_") and not callee.name.endswith("__"):
            yield callee.base, event.term.inputs


def _root(term: Term) -> Term:
    """The tensor behind x.data, x[..] and the result of an in-place method."""
    while True:
        if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name.endswith("_"):
            term = term.callee.base
        elif isinstance(term, Subscript) or (isinstance(term, Attribute) and term.name == "data"):
            term = term.base
        else:
            return term
