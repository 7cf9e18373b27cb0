"""Casts by hand inside autocast regions, and the operations that they feed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from torchlint.knowledge.dtypes import LOW_PRECISION
from torchlint.model.autocast.lower_precision import fed_operation
from torchlint.model.autocast.lowered import event_of
from torchlint.model.autocast.reach import regions_reaching
from torchlint.model.autocast.regions import (
    Autocast,
    asks_autocast,
    autocast_in_force,
    autocasts_around,
    may_open_autocast,
)
from torchlint.model.dtypes.cast_targets import cast_target, is_written_dtype
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Global,
    Imported,
    Subscript,
    Term,
    children,
)
from torchlint.model.values import Kind
from torchlint.source import Span

_FLAG = re.compile(r"dtype$|half|fp16|float16|bf16|fp32|precision$")
_CASTS = frozenset("half bfloat16 float double".split())
_FACTORIES = frozenset("zeros ones empty full new_zeros new_ones new_empty new_full zeros_like empty_like".split())
# A value that leaves for the CPU, for numpy or for a file is narrowed for storage.
_STORES = frozenset("cpu numpy tolist save dump".split())


@dataclass(frozen=True, slots=True)
class HandCast:
    """A cast inside a region. kind: "ignored", "narrow" or "double". used: the operation that it feeds, where that
    matters. called: the call inside the region that leads to the cast, where the region is a caller's."""

    kind: str
    span: Span
    region: Span
    dtype: str
    operation: str
    used: Span | None
    called: Span | None = None


def hand_casts(frame: Frame) -> Iterator[HandCast]:
    """The casts of a function that stand inside an autocast region of its own and should not. One finding for each line
    and operation fed."""
    if not may_open_autocast(frame.function):
        return
    fed: set[tuple[int, int]] = set()
    for event, call, dtype in _casts(frame):
        region = autocast_in_force(Moment(event, frame))
        if region is not None and not region.is_island:
            yield from _judged(call, dtype, region, frame, fed, in_helper=False)


def casts_in_helper(frame: Frame) -> Iterator[HandCast]:
    """The same casts in a function without a region, where a caller runs it inside one."""
    reaches = regions_reaching(frame) if _cast_calls(frame.function) else ()
    if not reaches:
        return
    fed: set[tuple[int, int]] = set()
    for event, call, dtype in _casts(frame):
        moment = Moment(event, frame)
        if not autocasts_around(moment) and not asks_autocast(moment):
            for found in _judged(call, dtype, reaches[0].autocast, frame, fed, in_helper=True):
                yield replace(found, called=reaches[0].called)


def _casts(frame: Frame) -> Iterator[tuple[Evaluated, Call, str]]:
    """The casts to a floating dtype that is written as such, with that dtype."""
    for event, call in _cast_calls(frame.function):
        dtype = cast_target(call, frame)
        if dtype is None or not is_written_dtype(call, frame) or not _casts_floating(call, frame):
            continue
        if not _is_called(call, frame) and not any(_decides(guard.subject) for guard in event.guards()):
            yield event, call, dtype


def _cast_calls(function: Function) -> list[tuple[Evaluated, Call]]:
    """The calls of a function that are casts by their form; asked of the function alone, so it is cheap."""
    known: list[tuple[Evaluated, Call]] | None = function.derived.get("cast calls")
    if known is None:
        known = function.derived["cast calls"] = [
            (event, event.term)
            for event in function.events
            if isinstance(event, Evaluated) and isinstance(event.term, Call) and _may_cast(event.term)
        ]
    return known


def _may_cast(call: Call) -> bool:
    """False for x.to(device): what is read from an argument or an attribute is no written dtype."""
    name = last_name(call)
    if name not in ("to", "type"):
        return name in _CASTS and not call.inputs
    return any(isinstance(term, (Imported, Global, Choice, Constant)) for term in call.inputs)


def _is_called(term: Term, frame: Frame) -> bool:
    """True where the result of the cast is called: it is a module."""
    for parent in parents_in(frame.function).get(id(term), ()):
        if isinstance(parent, Call) and parent.callee is term:
            return True
        if isinstance(parent, Choice) and _is_called(parent, frame):
            return True
    return False


def _decides(test: Term, depth: int = 4) -> bool:
    """True for a test of the dtype at hand, or of a flag that stands for one: the program knows what it does there."""
    name = test.name if isinstance(test, (Attribute, Argument, Global)) else ""
    return bool(_FLAG.search(name)) or (depth > 0 and any(_decides(part, depth - 1) for part in children(test)))


def _casts_floating(call: Call, frame: Frame) -> bool:
    """False for a module, and where integers or a mask are converted: that is a conversion, no change of precision."""
    assert isinstance(call.callee, Attribute)
    value = frame.value(call.callee.base)
    return (
        value.kind not in (Kind.MODULE, Kind.OBJECT, Kind.CALLABLE, Kind.CONTAINER, Kind.ARRAY)
        and not value.is_integral
    )


def _judged(
    call: Call, dtype: str, region: Autocast, frame: Frame, fed: set[tuple[int, int]], *, in_helper: bool
) -> Iterator[HandCast]:
    place, at = frame.span(call.place), region.span or frame.span(region.place)
    operation = fed_operation(call, frame, region.device, "float64" if dtype == "float64" else None)
    if dtype in LOW_PRECISION:
        is_wanted = _leaves_torch(call, frame) or _keeps_buffers(dtype, frame)
        # Autocast would have done the same to the operand of a product.
        is_idle = operation is not None and region.dtype in (None, dtype)
        if not is_idle and not is_wanted:
            yield HandCast("narrow", place, at, dtype, "", None)
        return
    if dtype not in ("float32", "float64") or operation is None:
        return
    if not _runs_low(operation[0], frame, in_helper=in_helper) or (
        dtype == "float64" and _is_all_double(operation[0], frame)
    ):
        return
    if not _is_told(operation[0], call, place.line, fed):
        return
    kind = "double" if dtype == "float64" else "ignored"
    yield HandCast(kind, place, at, dtype, operation[1], frame.span(operation[0].place))


def _is_told(operation: Term, call: Call, line: int, fed: set[tuple[int, int]]) -> bool:
    """True for the first cast that feeds an operation, and for one on a further line, unless what it casts is only
    known as a parameter: beside the values of the first it may be their integer positions."""
    is_first = not any(one == id(operation) for one, _ in fed)
    if (id(operation), line) in fed or (not is_first and isinstance(_root(call), Argument)):
        return False
    fed.add((id(operation), line))
    return True


def _root(call: Call) -> Term:
    """What a cast is made of, below its subscripts."""
    term = call.callee.base if isinstance(call.callee, Attribute) else call
    while isinstance(term, Subscript):
        term = term.base
    return term


def _runs_low(operation: Term, frame: Frame, *, in_helper: bool) -> bool:
    """False where the operation stands in an island, or after the region."""
    event = event_of(operation, frame.function)
    moment = Moment(event, frame) if event is not None else None
    if moment is None or not autocasts_around(moment):
        return in_helper
    region = autocast_in_force(moment)
    return region is not None and not region.is_island


def _is_all_double(operation: Term, frame: Frame) -> bool:
    """True where every tensor that goes into the operation is float64: then it runs in float64, which autocast leaves
    alone."""
    values = [frame.value(term) for term in children(operation) if not isinstance(term, Attribute)]
    base = operation.callee.base if isinstance(operation, Call) and isinstance(operation.callee, Attribute) else None
    values += [frame.value(base)] if base is not None else []
    tensors = [value for value in values if value.is_tensor or value.kind is Kind.UNKNOWN]
    return len(tensors) > 1 and all(value.dtype == "float64" for value in tensors)


def _leaves_torch(call: Call, frame: Frame) -> bool:
    """True for x.half().cpu(), and for torch.save() of it."""
    parents = parents_in(frame.function).get(id(call), ())
    return any(
        (isinstance(parent, Attribute) and parent.name in _STORES)
        or (isinstance(parent, Call) and parent.callee is not call and last_name(parent) in _STORES)
        for parent in parents
    )


def _keeps_buffers(dtype: str, frame: Frame) -> bool:
    """True where the function allocates tensors of the narrow dtype itself: what it casts is meant to go with them."""
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        given = call.keyword("dtype") if isinstance(call, Call) and last_name(call) in _FACTORIES else None
        if given is not None and frame.value(given).dtype == dtype:
            return True
    return False
