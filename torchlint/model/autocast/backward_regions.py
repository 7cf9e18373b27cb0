"""Backward passes that run while autocast is on, and the islands whose float32 they undo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.autocast import BACKWARD_CALLS
from torchlint.model.autocast.lower_precision import lower_operation
from torchlint.model.autocast.reach import entered_by, regions_reaching
from torchlint.model.autocast.regions import asks_autocast, autocast_around, autocast_in_force, autocasts_around
from torchlint.model.events import Evaluated, Region
from torchlint.model.facts import Function
from torchlint.model.flow.origins import returning
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Call
from torchlint.source import Span

_DEPTH = 3


@dataclass(frozen=True, slots=True)
class BackwardInRegion:
    """A backward pass in a region. region: where it is opened. island: an operation in an island of that region, None
    where there is none. called: the call that leads to the backward pass, where the region is a caller's."""

    span: Span
    region: Span
    island: Span | None
    operation: str
    called: Span | None


def backwards_in_regions(frame: Frame) -> Iterator[BackwardInRegion]:
    """The backward passes of a function that run inside a region of its own or of a caller."""
    for event in _backwards(frame.function):
        call = event.term
        if not isinstance(call, Call) or returning(call, frame) is not None:
            continue
        moment = Moment(event, frame)
        own = autocast_in_force(moment)
        if own is not None and not own.is_island:
            place, name = next(_lowered_in_islands(own.region, frame), (None, ""))
            yield BackwardInRegion(frame.span(call.place), own.span or frame.span(own.place), place, name, None)
        elif not autocasts_around(moment) and not asks_autocast(moment):
            for reach in regions_reaching(frame)[:1]:
                at = reach.autocast.span or reach.called
                yield BackwardInRegion(frame.span(call.place), at, None, "", reach.called)


def _backwards(function: Function) -> list[Evaluated]:
    known: list[Evaluated] | None = function.derived.get("backward calls")
    if known is None:
        known = function.derived["backward calls"] = [
            event
            for event in function.events
            if isinstance(event, Evaluated) and isinstance(event.term, Call) and last_name(event.term) in BACKWARD_CALLS
        ]
    return known


def _lowered_in_islands(region: Region | None, frame: Frame) -> Iterator[tuple[Span, str]]:
    """The matrix products that islands inside a region keep in float32, here and in what the region calls, with their
    names."""
    for event in frame.function.events:
        if not isinstance(event, Evaluated) or not (region is None or region in event.regions):
            continue
        yield from _lowered(event, frame, None, _DEPTH)


def _lowered(event: Evaluated, frame: Frame, caller: Moment | None, depth: int) -> Iterator[tuple[Span, str]]:
    moment = Moment(event, frame, caller)
    around = autocast_around(event, frame)
    is_island = around is not None and around.is_island
    name = lower_operation(event.term, frame) if is_island else None
    if name is not None:
        yield frame.span(event.term.place), name
    if not isinstance(event.term, Call) or not depth:
        return
    for inner in entered_by(event.term, frame):
        for event_there in inner.function.events:
            if isinstance(event_there, Evaluated):
                yield from _inside(event_there, inner, moment, is_island, depth - 1)


def _inside(event: Evaluated, frame: Frame, caller: Moment, is_island: bool, depth: int) -> Iterator[tuple[Span, str]]:
    """The same in a function that is called: all that an island calls runs in it."""
    if is_island and autocast_around(event, frame) is None:
        name = lower_operation(event.term, frame)
        if name is not None:
            yield frame.span(event.term.place), name
            return
    yield from _lowered(event, frame, caller, depth)
