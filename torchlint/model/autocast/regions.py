"""Autocast regions: which of them are around an event, in its function and around the calls that led there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from torchlint.knowledge.autocast import ASKS_AUTOCAST, SWITCHES
from torchlint.model.autocast.openers import Autocast, autocast_of, autocast_of_decorator
from torchlint.model.events import Evaluated, Event, Region, RegionKind
from torchlint.model.facts import Function
from torchlint.model.flow.same_object import is_exclusive
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Attribute, Call, Operation, Term, mentions
from torchlint.model.weights.enumerated import path_of
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator

__all__ = [
    "Autocast",
    "asks_autocast",
    "autocast_around",
    "autocast_in_force",
    "autocasts_around",
    "line_of",
    "may_open_autocast",
]

_STATEMENTS = frozenset(("__enter__", "__exit__", "enter_context", "close", *SWITCHES))


def autocasts_around(moment: Moment) -> tuple[Autocast, ...]:
    """Every autocast region around an event, innermost first: those of its own function, then those around the calls
    that led there. The outermost is the last; empty outside of any."""
    own = tuple(_around_in_function(moment.event, moment.frame))
    return own + (autocasts_around(moment.caller) if moment.caller is not None else ())


def autocast_in_force(moment: Moment) -> Autocast | None:
    """The innermost region around an event; None outside of any, or where a test of is_autocast_enabled(), or of the
    flag that switches the region on, decides."""
    found = next(iter(autocasts_around(moment)), None)
    return None if found is None or asks_autocast(moment) or _is_denied(moment, found) else found


def autocast_around(event: Event, frame: Frame, evaluator: Evaluator | None = None) -> Autocast | None:
    """The innermost region around an event inside its own function; None outside of any."""
    return next(_around_in_function(event, frame), None)


def may_open_autocast(function: Function) -> bool:
    """False for a function without any `with` block, decorator or statement that could open a region; asked of the
    function alone, so it is cheap."""
    known: bool | None = function.derived.get("may open autocast")
    if known is None:
        known = function.derived["may open autocast"] = (
            bool(function.decorators)
            or any(region.kind is RegionKind.WITH for event in function.events for region in event.regions)
            or bool(_statements(function))
        )
    return known


def asks_autocast(moment: Moment) -> bool:
    """True where a test around an event, or around a call that led there, asks whether autocast is on."""
    return any(mentions(region.subject, ASKS_AUTOCAST) for region, _ in moment.guards())


def line_of(region: Span, frame: Frame) -> str:
    """Where a region is opened, for a sentence: its line, with its file where that is another one than the frame's."""
    line = f"line {region.line}"
    return line if region.path == frame.path else f"{line} of {PurePath(region.path).name}"


def _is_denied(moment: Moment, found: Autocast) -> bool:
    """True under `if not amp:` inside `autocast(enabled=amp)`."""
    flag = found.enabled
    if flag is None or found.region is None:
        return False
    return any(
        _is_same_flag(region.subject, flag) is not region.holds
        for region, _ in moment.guards()
        if _is_same_flag(region.subject, flag) is not None
    )


def _is_same_flag(test: Term, flag: Term) -> bool | None:
    """True for the flag itself, False for `not flag`, None for another test."""
    if isinstance(test, Operation) and test.operator == "not":
        inner = _is_same_flag(test.parts[0], flag)
        return None if inner is None else not inner
    is_same = test is flag or (bool(path_of(test)) and path_of(test) == path_of(flag))
    return True if is_same else None


# Inside one function


def _around_in_function(event: Event, frame: Frame) -> Iterator[Autocast]:
    function = frame.function
    if not may_open_autocast(function):
        return
    switched = list(_switched_before(event, frame))
    for region in event.regions:
        # A statement inside of this block is nearer than the block.
        while switched and _is_inside(switched[-1][0], region):
            yield switched.pop()[1]
        if region.kind is RegionKind.WITH:
            found = autocast_of(region.subject, frame)
            if found is not None:
                yield replace(found, region=region, place=region.place, span=frame.span(region.place))
    for _, found in reversed(switched):
        yield found
    for decorator in function.decorators:
        found_here = autocast_of_decorator(decorator, frame)
        if found_here is not None:
            yield found_here


def _is_inside(event: Event, region: Region) -> bool:
    return any(one is region for one in event.regions)


def _statements(function: Function) -> list[tuple[int, Evaluated]]:
    """The calls that enter, leave or switch a context by a statement, with their positions."""
    known: list[tuple[int, Evaluated]] | None = function.derived.get("autocast statements")
    if known is None:
        known = function.derived["autocast statements"] = [
            (position, event)
            for position, event in enumerate(function.events)
            if isinstance(event, Evaluated) and isinstance(event.term, Call) and last_name(event.term) in _STATEMENTS
        ]
    return known


def _switched_before(event: Event, frame: Frame) -> Iterator[tuple[Event, Autocast]]:
    """The regions that statements before an event have opened and not closed, each with its statement."""
    statements = _statements(frame.function)
    if not statements:
        return
    at = next((position for position, one in enumerate(frame.function.events) if one is event), 0)
    opened: list[tuple[Term | None, Event, Autocast]] = []
    for position, statement in statements:
        # What a stack has entered before is a block around its close().
        is_near = last_name(statement.term) == "close" or _reaches(statement, event)
        if position >= at or is_exclusive(statement, event) or not is_near:
            continue
        call = statement.term
        assert isinstance(call, Call)
        base = call.callee.base if isinstance(call.callee, Attribute) else None
        if last_name(call) in ("__exit__", "close"):
            opened = [one for one in opened if not _is_same(one[0], base)]
        elif last_name(call) in SWITCHES:
            opened = [one for one in opened if one[0] is not None]
            opened += [(None, statement, one) for one in _by_switch(call, frame)]
        else:
            context = base if last_name(call) == "__enter__" else call.argument(0, "cm")
            found = autocast_of(context, frame) if context is not None and not _is_pushed(call, event) else None
            if found is not None:
                is_guarded = len(statement.guards()) > len(event.guards())
                opened.append((base, statement, replace(found, may_be_absent=found.may_be_absent or is_guarded)))
    yield from ((statement, found) for _, statement, found in opened)


def _is_same(one: Term | None, other: Term | None) -> bool:
    """True where two terms name one context manager."""
    if one is None or other is None:
        return False
    return one is other or (bool(path_of(one)) and path_of(one) == path_of(other))


def _is_pushed(call: Call, event: Event) -> bool:
    """True where the reader has made a block of an enter_context() already."""
    return any(region.place == call.place for region in event.regions)


def _reaches(statement: Event, event: Event) -> bool:
    """True where the loops and `with` blocks around a statement are around the event too."""
    around = {id(region) for region in event.regions}
    return all(id(region) in around for region in statement.regions if region.kind is not RegionKind.GUARD)


def _by_switch(call: Call, frame: Frame) -> Iterator[Autocast]:
    """set_autocast_enabled(False), also ("cuda", False): an island from here on. Switching on opens nothing certain."""
    flag = call.arguments[SWITCHES[last_name(call)]] if call.arguments else call.keyword("enabled")
    if flag is not None and frame.value(flag).constant is False:
        yield Autocast(True, None, call.place, frame.span(call.place))
