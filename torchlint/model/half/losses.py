"""Losses that are cast to half before a scaler multiplies them: the gradient that comes back to the cast is 65536, and
float16 ends at 65504. A cast back to float32 behind it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.model.autocast.regions import autocast_in_force
from torchlint.model.events import Evaluated
from torchlint.model.flow.forwards import run_by
from torchlint.model.flow.levels import Level
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.half.types import cast_to, casts_up
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Display,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.training.acts import is_scaler, is_whole_protocol, speaks_of_scalers
from torchlint.model.weights.aliases import function_called
from torchlint.source import Span

# Methods whose result is the loss still.
_SAME = frozenset(
    "mean sum squeeze view reshape clone contiguous div mul neg unsqueeze cuda requires_grad_ max min to".split()
)
# Functions whose result has the dtype of the losses that they are given a list of.
_SUMS = frozenset("sum mean stack cat hstack".split())
_ARITHMETIC = frozenset("+ - * / += -= *= /=".split())
_DEPTH = 14


@dataclass(frozen=True, slots=True)
class HalfLoss:
    """A cast of a loss to float16. kind: "default", or "follows" for a cast to the dtype of an output. scaled: where
    the scaler gets the loss."""

    kind: str
    span: Span
    symbol: str
    cast: str
    scaled: Span


def half_losses(frame: Frame) -> Iterator[HalfLoss]:
    """The casts to float16 of what a function gives to a scaler."""
    if not speaks_of_scalers(frame):
        return
    for event in frame.function.events:
        if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
            continue
        for loss in _scaled(event.term, frame):
            for kind, cast, where in _casts(loss, frame, _DEPTH):
                place = where.span(cast.place)
                yield HalfLoss(kind, place, where.symbol, _written(cast), frame.span(event.term.place))


def _written(cast: Call) -> str:
    return f".{last_name(cast)}()"


def _scaled(call: Call, frame: Frame) -> Iterator[Term]:
    """What a call gives to a scaler as a loss, itself or in a helper of the project."""
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name == "scale" and call.inputs and is_scaler(callee.base, frame):
        yield from call.inputs
    elif is_whole_protocol(call):
        yield from call.arguments[:1]
    elif call.inputs and any(_may_be_cast(term, frame) for term in call.inputs):
        target = function_called(call, frame)
        for index, name in _scaled_parameters(target) if target is not None else ():
            offset = int(target is not None and target.function.owner is not None and isinstance(callee, Attribute))
            given = call.argument(index - offset, name)
            if given is not None:
                yield given


def _may_be_cast(term: Term, frame: Frame) -> bool:
    return any(True for _ in _casts(term, frame, 3))


def _scaled_parameters(target: Frame) -> Iterator[tuple[int, str]]:
    """The parameters that a helper gives to a scaler."""
    for event in target.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        callee = call.callee if isinstance(call, Call) and last_name(call) == "scale" else None
        if isinstance(call, Call) and isinstance(callee, Attribute) and is_scaler(callee.base, target):
            yield from ((term.index, term.name) for term in call.inputs if isinstance(term, Argument))


# The way back from the loss to the cast


def _casts(term: Term, frame: Frame, depth: int) -> Iterator[tuple[str, Call, Frame]]:
    """The casts to float16 that decide the dtype of a loss, each with its kind and the frame that it stands in."""
    if depth == 0:
        return
    if isinstance(term, (Choice, Display)):
        for part in term.options if isinstance(term, Choice) else term.parts:
            yield from _casts(part, frame, depth - 1)
    elif isinstance(term, Comprehension):
        yield from _casts(term.parts[0], frame, depth - 1)
    elif isinstance(term, Captured) and frame.outer is not None:
        yield from _casts(term.value, frame.outer, depth - 1)
    elif isinstance(term, Attribute) and term.known is not None:
        yield from _casts(term.known, frame, depth - 1)
    elif isinstance(term, Operation) and term.operator in _ARITHMETIC:
        for part in _deciding(term, frame):
            yield from _casts(part, frame, depth - 1)
    elif isinstance(term, Call):
        yield from _casts_by_call(term, frame, depth)


def _deciding(operation: Operation, frame: Frame) -> Iterator[Term]:
    """The operands that get the scaler's factor of 65536 back as their gradient: those of a sum, and a half one of a
    product with a number, for the gradient of the product is half already."""
    if operation.operator.rstrip("=") in ("+", "-"):
        yield from operation.parts
        return
    for part, other in zip(operation.parts, reversed(operation.parts), strict=True):
        if not frame.value(other).is_tensor and not _is_wide(part, frame):
            yield part


def _is_wide(term: Term, frame: Frame) -> bool:
    """True for what was made float32 again."""
    while isinstance(term, Call) and isinstance(term.callee, Attribute):
        if casts_up(term, frame):
            return True
        if term.callee.name not in _SAME:
            return False
        term = term.callee.base
    return False


def _casts_by_call(call: Call, frame: Frame, depth: int) -> Iterator[tuple[str, Call, Frame]]:
    callee = call.callee
    if isinstance(callee, Attribute):
        if "float16" in cast_to(call, frame):
            yield "default", call, frame
        elif _follows_output(call, frame):
            yield "follows", call, frame
        elif callee.name in _SAME or casts_up(call, frame):
            yield from _casts(callee.base, frame, depth - 1)
            return
    elif isinstance(callee, (Global, Imported)) and callee.name.rpartition(".")[2] in _SUMS and call.arguments:
        yield from _casts(call.arguments[0], frame, depth - 1)
        return
    target = function_called(call, frame) if depth > _DEPTH - 6 else None
    if target is None or (target.view is not None and target.view.is_module and target.function.name == "forward"):
        return
    for event in target.function.returned:
        if not isinstance(event.value, Argument):
            yield from _casts(event.value, target, min(depth - 1, _DEPTH - 3))


def _follows_output(call: Call, frame: Frame) -> bool:
    """True for a cast to the dtype of what a model gave in a region of float16: `loss.type_as(logits)`."""
    callee = call.callee
    if not isinstance(callee, Attribute) or len(call.inputs) != 1:
        return False
    given = call.inputs[0]
    if callee.name == "to":
        if not isinstance(given, Attribute) or given.name != "dtype":
            return False
        given = given.base
    elif callee.name != "type_as":
        return False
    return _is_output_in_half(given, frame)


def _is_output_in_half(term: Term, frame: Frame) -> bool:
    while isinstance(term, (Attribute, Subscript, Item)):
        term = term.base
    if not isinstance(term, Call) or not run_by(term, Level(frame)):
        return False
    for event in frame.function.events:
        if isinstance(event, Evaluated) and event.term is term:
            around = autocast_in_force(Moment(event, frame))
            dtype = around.dtype or ("bfloat16" if around.device == "cpu" else "float16") if around else None
            return around is not None and not around.is_island and dtype == "float16"
    return False
