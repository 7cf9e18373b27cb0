"""Counters in half: from 2048 in float16, and from 256 in bfloat16, adding one changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.ranges import EXACT_STEPS
from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.frames import Frame
from torchlint.model.half.evidence import asks_dtype, exact_half, runs_in_half
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Attribute, Call, Constant, Operation, Term
from torchlint.model.weights.enumerated import path_of
from torchlint.source import Span


@dataclass(frozen=True, slots=True)
class HalfCounter:
    """A counter that stops. last: the number that it does not get beyond."""

    span: Span
    name: str
    dtype: str
    last: int


def half_counters(frame: Frame) -> Iterator[HalfCounter]:
    """The tensors of a function that count by one in float16 or bfloat16."""
    for event in frame.function.events:
        counted = _counted(event)
        if counted is None or asks_dtype(event):
            continue
        dtype = exact_half(counted, frame) or _as_state(counted, frame)
        if dtype in EXACT_STEPS:
            place = event.place if isinstance(event, (Write, ItemWrite)) else event.term.place  # type: ignore[attr-defined]
            yield HalfCounter(frame.span(place), path_of(counted) or "the counter", dtype, EXACT_STEPS[dtype])


def _counted(event: Event) -> Term | None:
    """The tensor that an event adds one to: x += 1, x[i] += 1, self.x = self.x + 1, x.add_(1), x.copy_(x + 1)."""
    if isinstance(event, ItemWrite):
        return event.base if event.operator == "+=" and _adds_one(event.value) else None
    if isinstance(event, Write) and event.operator == "=" and isinstance(event.attribute, str):
        one = _one_less(event.value)
        return one if isinstance(one, Attribute) and one.name == event.attribute else None
    if not isinstance(event, Evaluated):
        return None
    term = event.term
    if isinstance(term, Operation) and term.operator == "+=" and _is_one(term.parts[1]):
        return _without_data(term.parts[0])
    if not isinstance(term, Call) or not isinstance(term.callee, Attribute) or len(term.inputs) != 1:
        return None
    counted, given = _without_data(term.callee.base), term.inputs[0]
    if term.callee.name == "add_":
        return counted if _is_one(given) else None
    one = _one_less(given) if term.callee.name == "copy_" else None
    return counted if one is not None and path_of(one) == path_of(counted) else None


def _one_less(term: Term) -> Term | None:
    """The x of x + 1."""
    if not isinstance(term, Operation) or term.operator != "+" or len(term.parts) != 2:
        return None
    first, second = term.parts
    return first if _is_one(second) else second if _is_one(first) else None


def _adds_one(value: Term) -> bool:
    """True for the new value of x[i] += 1, or for the one itself."""
    return (
        _is_one(value)
        or _one_less(value) is not None
        or (isinstance(value, Operation) and value.operator == "+=" and _is_one(value.parts[-1]))
    )


def _without_data(term: Term) -> Term:
    return term.base if isinstance(term, Attribute) and term.name == "data" else term


def _is_one(term: Term) -> bool:
    return isinstance(term, Constant) and term.value == 1 and not isinstance(term.value, bool)


def _as_state(term: Term, frame: Frame) -> str | None:
    """The dtype that a floating buffer takes on where the project converts its module."""
    if not isinstance(term, Attribute) or frame.view is None or not frame.is_self(term.base):
        return None
    if frame.view.state.registration(term.name) is not Registration.BUFFER:
        return None
    if not frame.view.state.value(term.name).is_floating:
        return None
    halved = runs_in_half(frame)
    return halved[0] if halved is not None else None
