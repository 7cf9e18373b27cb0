"""Counters in half: from 2048 in float16, and from 256 in bfloat16, adding one changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.ranges import EXACT_STEPS
from torchlint.model.enumerated import path_of
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.frames import Frame
from torchlint.model.half_elsewhere import trains_in_half
from torchlint.model.half_evidence import asks_dtype, converted_to, exact_half
from torchlint.model.state import Registration
from torchlint.model.terms import Attribute, Call, Constant, Operation, Term
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
            place = event.place if isinstance(event, Write) else event.term.place  # type: ignore[attr-defined]
            yield HalfCounter(frame.span(place), path_of(counted) or "the counter", dtype, EXACT_STEPS[dtype])


def _counted(event: Event) -> Term | None:
    """The tensor that an event adds one to: x += 1, self.x = self.x + 1, x.add_(1)."""
    if isinstance(event, Write) and event.operator == "=" and isinstance(event.attribute, str):
        value = event.value
        is_sum = isinstance(value, Operation) and value.operator == "+" and len(value.parts) == 2
        if not is_sum or not isinstance(value, Operation):
            return None
        for one, other in (value.parts, value.parts[::-1]):
            if _is_one(other) and isinstance(one, Attribute) and one.name == event.attribute:
                return one
        return None
    if not isinstance(event, Evaluated):
        return None
    term = event.term
    if isinstance(term, Operation) and term.operator == "+=" and _is_one(term.parts[1]):
        return term.parts[0]
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "add_":
        return term.callee.base if len(term.inputs) == 1 and _is_one(term.inputs[0]) else None
    return None


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
    return converted_to(frame.view) or ("float16" if frame.view.is_module and trains_in_half(frame) else None)
