"""Weights that are written through `.data` after a loss was computed with them and before its backward pass, which
multiplies by the new ones."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated, Event, RegionKind
from torchlint.model.flow.forwards import run_by
from torchlint.model.flow.levels import Level
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.flow.same_object import Key
from torchlint.model.frames import Frame, Moment, called_names
from torchlint.model.terms import Attribute, Call, Term
from torchlint.model.weights.aliases import function_called
from torchlint.model.weights.enumerated import within
from torchlint.model.weights.weight_writes import direct_writes
from torchlint.source import Span

_DEPTH = 2


def waiting_backward(event: Event, frame: Frame) -> Span | None:
    """The backward pass that comes after a write into weights, of a loss that was computed with them before."""
    if "backward" not in called_names(frame.function):
        return None
    level = Level(frame)
    write = direct_writes(level).get(id(event))
    if write is None or not write.modules:
        return None
    events = frame.function.events
    place = next(at for at, one in enumerate(events) if one is event)
    for later in events[place + 1 :]:
        loss = _loss_of(later)
        if loss is None or _loops(later) - _loops(event):
            continue
        if any(keys & write.modules for keys in _run_in(loss, events[:place], level)):
            return frame.span(later.term.place)  # type: ignore[attr-defined]
    return None


def _loss_of(event: Event) -> Term | None:
    """The loss of loss.backward()."""
    call = event.term if isinstance(event, Evaluated) else None
    callee = call.callee if isinstance(call, Call) else None
    return callee.base if isinstance(callee, Attribute) and callee.name == "backward" else None


def _loops(event: Event) -> set[int]:
    return {id(region) for region in event.regions if region.kind is RegionKind.LOOP}


def _run_in(loss: Term, events: tuple[Event, ...], level: Level) -> Iterator[frozenset[Key]]:
    """The modules that those parts of a loss ran with gradients that were computed before, here and in helpers."""
    parts = {id(part) for part in within(loss, 200)}
    for event in events:
        if isinstance(event, Evaluated) and id(event.term) in parts:
            yield from _passes(event, level, _DEPTH)


def _passes(event: Evaluated, level: Level, depth: int) -> Iterator[frozenset[Key]]:
    call, moment = event.term, Moment(event, level.frame, level.caller)
    if not isinstance(call, Call) or grad_is_off(moment, level.frame.evaluator):
        return
    keys = run_by(call, level)
    if keys:
        yield keys
        return
    target = function_called(call, level.frame) if depth else None
    inner = level.entered(target, call, moment) if target is not None else None
    for one in inner.frame.function.events if inner is not None else ():
        if isinstance(one, Evaluated):
            yield from _passes(one, inner, depth - 1)  # type: ignore[arg-type]
