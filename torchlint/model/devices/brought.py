"""What callers bring to a function, and where they put its result: who moves the result works on the CPU before."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.devices.devices import moved_to
from torchlint.model.devices.follower_forms import behind_views, goes_to_cpu
from torchlint.model.devices.placements import device_of
from torchlint.model.events import Evaluated, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.passed import arguments_of
from torchlint.model.frames import Frame, Moment
from torchlint.model.terms import Argument, Attribute, Call, Choice, Element, Item, Starred, Subscript, Term
from torchlint.model.values import Kind

_NO_TENSORS = frozenset((Kind.NUMBER, Kind.ARRAY))
_DEPTH = 6


def brought_from_elsewhere(frame: Frame) -> frozenset[int]:
    """The parameters, by position, for which every caller that is seen passes a number, an array, what it has moved to
    the CPU, or (a module) what it made there or was made with. Of forward() nobody sees all callers."""
    if frame.function.name == "forward":
        return frozenset()
    return frozenset(frame.once("brought from elsewhere", lambda: _find_brought(frame)))


def _find_brought(frame: Frame) -> frozenset[int]:
    passed: dict[int, list[bool]] = {}
    for moment in callers_of(frame):
        for index, term in arguments_of(moment, frame):
            passed.setdefault(index, []).append(_is_elsewhere(term, moment.frame))
    return frozenset(index for index, found in passed.items() if all(found))


def _is_elsewhere(term: Term, frame: Frame) -> bool:
    value = frame.value(term)
    # A script that tries a function out makes all of its tensors on the CPU.
    is_made = frame.view is not None and frame.view.is_module and device_of(value.placed) == "cpu"
    behind = behind_views(term)
    return value.kind in _NO_TENSORS or is_made or goes_to_cpu(behind) or _is_kept_as_given(behind, frame)


def _is_kept_as_given(term: Term, frame: Frame) -> bool:
    """True for a tensor that a module was made with and keeps as a plain attribute: it does not move with the
    module."""
    view = frame.view
    if not isinstance(term, Attribute) or view is None or not view.is_module or not frame.is_self(term.base):
        return False
    if frame.value(term).kind not in (Kind.UNKNOWN, Kind.TENSOR):
        return False
    writes = [moment.event for moment in view.state.writes(term.name)]
    return bool(writes) and all(isinstance(one, Write) and isinstance(one.value, Argument) for one in writes)


def is_moved_afterwards(moment: Moment) -> bool:
    """True where a caller moves what the function returns, or a part of it, to an accelerator: by a method, or by a
    function of the project that moves what it is given."""
    call, frame = moment.event.term if isinstance(moment.event, Evaluated) else None, moment.frame
    calls = (one for one in frame.function.calls if one is not call)
    return any(_is_of(term, call) for one in calls for term in _moved(one, frame))


def _moved(call: Call, frame: Frame) -> Iterator[Term]:
    """What a call moves to an accelerator."""
    if isinstance(call.callee, Attribute):
        if moved_to(call, frame) is True:
            yield call.callee.base
        return
    target = frame.evaluator.project.names.of_term(call.callee, frame.path)
    if isinstance(target, Function) and target.owner is None:
        moving = _moves_arguments(frame.evaluator.frame(target, None))
        for index, term in enumerate(call.arguments):
            if any(index == one or (index > one and kind == "*") for one, kind in moving):
                yield term


def _moves_arguments(frame: Frame) -> tuple[tuple[int, str], ...]:
    """The parameters that a function moves, or the elements of which it moves: the position of each, and its kind."""
    return frame.once("moves arguments", lambda: _find_moved(frame))


def _find_moved(frame: Frame) -> Iterator[tuple[int, str]]:
    for call in frame.function.calls:
        base = call.callee.base if isinstance(call.callee, Attribute) else None
        while isinstance(base, (Element, Item, Subscript)):
            base = base.iterable if isinstance(base, Element) else base.base
        if isinstance(base, Argument) and moved_to(call, frame) is True:
            yield base.index, frame.function.parameters[base.index].kind


def _is_of(term: Term, call: Term | None, depth: int = _DEPTH) -> bool:
    """True for the result of a call, and for a part of it."""
    if term is call or not depth:
        return term is call
    if isinstance(term, Choice):
        return any(_is_of(option, call, depth - 1) for option in term.options)
    if isinstance(term, Starred):
        return _is_of(term.value, call, depth - 1)
    base = behind_views(term)
    return base is call or (isinstance(base, Item) and _is_of(base.base, call, depth - 1))
