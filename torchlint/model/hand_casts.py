"""Casts by hand inside autocast regions, and the operations that they feed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.autocast import LOWER_PRECISION, LOWER_PRECISION_LAYERS
from torchlint.knowledge.dtypes import LOW_PRECISION
from torchlint.knowledge.lookup import is_view
from torchlint.model.autocast import Autocast, autocast_around
from torchlint.model.blanket import cast_target, is_written_dtype
from torchlint.model.events import Evaluated
from torchlint.model.frames import Frame
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Constant,
    Display,
    Global,
    Imported,
    Operation,
    Starred,
    Subscript,
    Term,
    mentions,
)
from torchlint.model.uses import parents_in
from torchlint.model.values import Kind
from torchlint.source import Span

# A callable that cannot be seen, called by such a name, is a layer with a matrix product.
_LAYER_NAME = re.compile(
    r"(?:^|_)(?:head|proj|projection|linear|fc|dense|conv|to_(?:q|k|v|qkv|out|kv)|qkv|lin)\d*(?:$|_)"
)
_REACH = 6


@dataclass(frozen=True, slots=True)
class HandCast:
    """A cast inside a region. kind: "ignored", "narrow" or "double". used: the operation that it feeds, where that
    matters."""

    kind: str
    span: Span
    region: Span
    dtype: str
    operation: str
    used: Span | None


def hand_casts(frame: Frame) -> Iterator[HandCast]:
    """The casts of a function that stand inside an autocast region and should not. One finding for each operation
    fed."""
    fed: set[int] = set()
    for event in frame.function.events:
        if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
            continue
        dtype = cast_target(event.term, frame)
        if dtype is None or not _casts_floating(event.term, frame):
            continue
        region = autocast_around(event, frame, frame.evaluator)
        if region is None or region.is_island or _asks_autocast(event):
            continue
        found = _judged(event.term, dtype, region, frame, fed)
        if found is not None:
            yield found


def _asks_autocast(event: Evaluated) -> bool:
    return any(mentions(guard.subject, frozenset({"is_autocast_enabled"})) for guard in event.guards())


def _casts_floating(call: Call, frame: Frame) -> bool:
    """False for a module, and where integers or a mask are converted: that is a conversion, no change of precision."""
    assert isinstance(call.callee, Attribute)
    value = frame.value(call.callee.base)
    return (
        value.kind not in (Kind.MODULE, Kind.OBJECT, Kind.CALLABLE, Kind.CONTAINER, Kind.ARRAY)
        and not value.is_integral
    )


def _judged(call: Call, dtype: str, region: Autocast, frame: Frame, fed: set[int]) -> HandCast | None:
    place, at = frame.span(call.place), frame.span(region.place)
    if dtype in LOW_PRECISION:
        return HandCast("narrow", place, at, dtype, "", None) if is_written_dtype(call, frame) else None
    if dtype not in ("float32", "float64") or not is_written_dtype(call, frame):
        return None
    operation = _fed_operation(call, frame)
    if operation is None or id(operation[0]) in fed:
        return None
    fed.add(id(operation[0]))
    kind = "double" if dtype == "float64" else "ignored"
    return HandCast(kind, place, at, dtype, operation[1], frame.span(operation[0].place))


def _fed_operation(term: Term, frame: Frame, reach: int = _REACH) -> tuple[Term, str] | None:
    """The operation of autocast's lower-precision list that a value flows into, through views only, and its name."""
    for parent in parents_in(frame.function).get(id(term), ()):
        if not isinstance(parent, Term):
            continue
        name = _lower_precision(parent, term, frame)
        if name is not None:
            return parent, name
        if isinstance(parent, Attribute) and (call := _as_receiver(parent, frame)) is not None:
            return call, parent.name
        if reach and _passes_on(parent, term, frame):
            found = _fed_operation(parent, frame, reach - 1)
            if found is not None:
                return found
    return None


def _as_receiver(parent: Attribute, frame: Frame) -> Call | None:
    """The call x.bmm(y), seen from its attribute x.bmm."""
    if parent.name not in LOWER_PRECISION:
        return None
    calls = (call for call in parents_in(frame.function).get(id(parent), ()) if isinstance(call, Call))
    return next((call for call in calls if call.callee is parent), None)


def _lower_precision(parent: Term, term: Term, frame: Frame) -> str | None:
    """The name of the operation, where `parent` is one that autocast runs in lower precision on `term`."""
    if isinstance(parent, Operation):
        return "@" if parent.operator == "@" else None
    if not isinstance(parent, Call) or parent.callee is term:
        return None
    callee = parent.callee
    if isinstance(callee, Imported):
        last = callee.name.rpartition(".")[2]
        runs_low = callee.name.startswith("torch.") and last in LOWER_PRECISION
        return last if runs_low and (last != "einsum" or _contracts(parent)) else None
    if isinstance(callee, Attribute) and callee.name in LOWER_PRECISION and not frame.is_self(callee.base):
        return callee.name
    return _layer(parent, frame) if any(part is term for part in parent.arguments) else None


def _contracts(einsum: Call) -> bool:
    """True where the equation sums over an index: only then torch runs a matrix product."""
    equation = einsum.arguments[0] if einsum.arguments else None
    text = equation.value if isinstance(equation, Constant) else None
    if not isinstance(text, str):
        return True
    inputs, arrow, output = text.replace(" ", "").partition("->")
    return not arrow or bool(set(inputs) - set(output) - {",", "."})


def _layer(call: Call, frame: Frame) -> str | None:
    """The name of the layer that a call runs, where that is a matrix product or convolution."""
    value = frame.value(call.callee)
    if value.kind is Kind.MODULE and value.of is None and value.made_by is not None:
        last = value.made_by.rpartition(".")[2]
        return last if last in LOWER_PRECISION_LAYERS else None
    if value.kind not in (Kind.UNKNOWN, Kind.MODULE) or value.of is not None:
        return None
    name = _written_name(call.callee)
    return name if _LAYER_NAME.search(name) else None


def _written_name(term: Term) -> str:
    if isinstance(term, Captured):
        return _written_name(term.value)
    return term.name if isinstance(term, (Argument, Attribute, Global)) else ""


def _passes_on(parent: Term, term: Term, frame: Frame) -> bool:
    """True where the values go through unchanged: a view, a subscript, a transpose, or the call of such a method."""
    if isinstance(parent, Subscript):
        return parent.base is term
    if isinstance(parent, (Starred, Display)):
        return False
    if isinstance(parent, Attribute):
        return parent.name in ("T", "mT") or is_view(parent.name)
    return isinstance(parent, Call) and parent.callee is term
