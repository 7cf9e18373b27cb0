"""Conversions of models to float16 and back: in a function, in the other methods of its object, in helpers that these
call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from torchlint.model.dtypes.cast_targets import cast_target
from torchlint.model.events import Evaluated, Write
from torchlint.model.flow.kept_arguments import known_as
from torchlint.model.flow.origins import returning
from torchlint.model.flow.same_object import Key, keys_of
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, has_self
from torchlint.model.half.types import cast_to
from torchlint.model.terms import Attribute, Call, Term
from torchlint.model.weights.enumerated import enumeration
from torchlint.source import Span


def calls_of(frame: Frame) -> list[Evaluated]:
    """The calls of a function, as events."""
    events = frame.function.events
    return [event for event in events if isinstance(event, Evaluated) and isinstance(event.term, Call)]


def converted_object(call: Call, frame: Frame) -> Term:
    """What a cast by a method converts: its receiver; in `p.data = p.data.half()` for each parameter of a model, the
    model."""
    base = call.callee.base if isinstance(call.callee, Attribute) else call
    listed = enumeration(base.base) if isinstance(base, Attribute) and base.name == "data" else None
    if listed is None or not isinstance(listed.callee, Attribute):
        return base
    parents = parents_in(frame.function).get(id(call), ())
    is_written = any(isinstance(one, Write) and one.attribute == "data" for one in parents)
    return listed.callee.base if is_written else base


def conversions(frames: Iterable[Frame], *, narrow: bool) -> Iterator[tuple[Evaluated, frozenset[Key], Span]]:
    """The conversions to float16 (or, not narrow, to float32) of objects, in some functions and in what these call."""
    for one in frames:
        for event in calls_of(one):
            call = event.term
            assert isinstance(call, Call)
            if _converts(call, one, narrow=narrow) and isinstance(call.callee, Attribute):
                yield event, known_as(converted_object(call, one), one), one.span(call.place)
            elif call.inputs and (inner := returning(call, one)) is not None:
                for keys, span in _by_helper(call, inner, one, narrow=narrow):
                    yield event, keys, span


def _converts(call: Call, frame: Frame, *, narrow: bool) -> bool:
    if not isinstance(call.callee, Attribute):
        return False
    return "float16" in cast_to(call, frame) if narrow else cast_target(call, frame) == "float32"


def _by_helper(call: Call, inner: Frame, frame: Frame, *, narrow: bool) -> Iterator[tuple[frozenset[Key], Span]]:
    """The conversions in a function that a call enters, of what it is given or returns."""
    returned = frozenset[Key]().union(*(keys_of(event.value, inner) for event in inner.function.returned))
    for conversion in inner.function.calls:
        if _converts(conversion, inner, narrow=narrow) and isinstance(conversion.callee, Attribute):
            keys = keys_of(converted_object(conversion, inner), inner)
            outside = as_given(keys, call, inner, frame)
            outside |= known_as(call, frame) if keys & returned else frozenset()
            yield outside, inner.span(conversion.place)


def as_given(keys: frozenset[Key], call: Call, inner: Frame, frame: Frame) -> frozenset[Key]:
    """The names outside of a function for the parameters that some of its keys are."""
    found = frozenset[Key]()
    offset = int(has_self(inner.function) and isinstance(call.callee, Attribute))
    for position, parameter in enumerate(inner.function.parameters):
        given = call.argument(position - offset, parameter.name) if position >= offset else None
        if ("argument", id(inner.function), position) in keys and given is not None:
            found |= known_as(given, frame)
    return found


def related(frame: Frame) -> Iterator[Frame]:
    """A function and the other methods of its object."""
    yield frame
    for method in frame.view.methods if frame.view is not None and frame.outer is None else ():
        if method is not frame.function:
            yield frame.view.frame(method)  # type: ignore[union-attr]
