"""Conversions over all of a module's state at once, integer and complex state included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.dtypes import LOW_PRECISION, category
from torchlint.model.dtypes.cast_targets import cast_base, cast_target, lowered_to
from torchlint.model.dtypes.casting_functions import TensorCast, asks_dtype, casts_in, casts_of
from torchlint.model.events import Evaluated, Event, RegionKind
from torchlint.model.facts import Function
from torchlint.model.flow.networks import written_name
from torchlint.model.flow.uses import parents_in
from torchlint.model.flow.visitors import visitors_of
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.half.networks import is_computed_with, names_network
from torchlint.model.modules.complex_buffers import complex_state
from torchlint.model.terms import Argument, Attribute, Call, Comprehension, Element, Item, Operation, Subscript, Term
from torchlint.model.values import Kind
from torchlint.model.weights.selections import is_selected
from torchlint.model.weights.state_arithmetic import state_arithmetic
from torchlint.model.weights.whole_batches import Sort, goes_through, sort_of
from torchlint.model.weights.wholes import wholes_in
from torchlint.source import Span


@dataclass(frozen=True, slots=True)
class Blanket:
    """A conversion of everything. kind: which form (the variant of the message). dtype: the target, None for
    arithmetic. what: the state, or the name of what is converted. symbol: the function that it stands in."""

    kind: str
    span: Span
    dtype: str | None
    what: str
    symbol: str


def blanket_conversions(frame: Frame) -> Iterator[Blanket]:
    """The casts and the arithmetic of a function that meet every value of a whole with no test of its dtype."""
    for event in frame.function.events:
        if isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from _casts(event.term, event, frame)
    loops: set[int] = set()
    for event, term, what, in_place in state_arithmetic(frame):
        loop = next((id(region) for region in event.regions if region.kind is RegionKind.LOOP), 0)
        if loop not in loops or not in_place:
            loops.add(loop)
            yield Blanket("arithmetic" if in_place else "blend", frame.span(term.place), None, what, frame.symbol)


def _casts(call: Call, event: Event, frame: Frame) -> Iterator[Blanket]:
    if cast_base(call) is not None:
        found = _module_cast(call, frame) or _value_cast(call, event, frame)
        if found is not None:
            yield found
    elif isinstance(call.callee, Attribute) and call.callee.name == "_apply" and call.arguments:
        yield from _casts_by_apply(call, frame)
    else:
        yield from _casts_by_helper(call, event, frame)
    for visitor in visitors_of(call, frame):
        yield from (_as_found(cast, call, frame) for cast in casts_of(visitor, frame) if cast.dtype not in _WIDE)


_WIDE = frozenset(("float32", "float64"))


def _as_found(cast: TensorCast, call: Call, frame: Frame) -> Blanket:
    return Blanket("batch", cast.span or frame.span(call.place), cast.dtype, "the batch", cast.symbol or frame.symbol)


def _value_cast(call: Call, event: Event, frame: Frame) -> Blanket | None:
    """value.half() for every value of a state_dict, every buffer, every attribute or every item of a batch."""
    base, low = cast_base(call), lowered_to(call, frame)
    dtype = low or cast_target(call, frame)
    if dtype is None or (low is None and category(dtype) != "floating") or base is None:
        return None
    if any(asks_dtype(term, base) for term in call.inputs):
        return None
    # A variable's dtype may be one for each: only who opens dicts casts whatever comes.
    is_open = low is not None and low not in LOW_PRECISION
    sort = _sort_met(base, event, frame, dicts_only=is_open)
    if sort is None:
        return None
    span = frame.span(call.place)
    if low is not None:
        is_state = sort.kind == "state"
        return Blanket("default" if is_state else "batch", span, low, sort.what, frame.symbol)
    # Widened for a computation only, or as a copy, the state itself stays as it is.
    computes = any(map(_computes, parents_in(frame.function).get(id(call), ())))
    is_state = sort.kind == "state" and last_name(base) != "clone"
    return Blanket("widening", span, dtype, sort.what, frame.symbol) if is_state and not computes else None


def _computes(parent: object) -> bool:
    return isinstance(parent, Operation) or (isinstance(parent, Comprehension) and len(parent.parts) == 1)


def _sort_met(term: Term, event: Event, frame: Frame, *, dicts_only: bool = False) -> Sort | None:
    """What a term is one of all the values of, or computed from them; None where a test decides."""
    is_own = isinstance(term, Argument) and not frame.is_self(term)
    if isinstance(term, Argument) and is_own and goes_through(term.index, frame, dicts_only=dicts_only):
        return None if is_selected(event, term) else Sort("batch", "the batch")
    for value, whole in wholes_in(term, frame):
        sort = sort_of(whole, frame)
        if sort is not None and sort.kind != "other keys":
            return None if is_selected(event, value) else sort
    return None


def _module_cast(call: Call, frame: Frame) -> Blanket | None:
    """Module.type(dtype) converts every buffer; it and Module.to(real dtype) drop the imaginary part of complex
    ones."""
    callee = call.callee
    if not isinstance(callee, Attribute) or callee.name not in ("type", "to"):
        return None
    dtype = cast_target(call, frame)
    receiver = frame.value(callee.base)
    if dtype is None or category(dtype) != "floating":
        return None
    is_called_network = receiver.kind is Kind.UNKNOWN and names_network(written_name(callee.base))
    is_network = receiver.kind is Kind.MODULE or (is_called_network and not is_computed_with(callee.base, frame))
    if callee.name == "type" and is_network:
        return Blanket("module type", frame.span(call.place), dtype, "Module.type", frame.symbol)
    name = complex_state(callee.base, frame) if receiver.kind is Kind.MODULE else ""
    return Blanket("complex", frame.span(call.place), dtype, name, frame.symbol) if name else None


def _casts_by_apply(call: Call, frame: Frame) -> Iterator[Blanket]:
    """module._apply(lambda t: t.half())."""
    casts = (cast for cast in casts_of(call.arguments[0], frame) if cast.dtype in LOW_PRECISION | _WIDE)
    cast = next(casts, None)
    if cast is not None:
        yield Blanket("apply", frame.span(call.place), cast.dtype, "Module._apply", frame.symbol)


def _casts_by_helper(call: Call, event: Event, frame: Frame) -> Iterator[Blanket]:
    """{key: lowered(value) for key, value in batch.items()}: the casts of a helper that gets each value."""
    for position, term in enumerate(call.arguments):
        if not isinstance(term, (Element, Item, Operation, Subscript)):
            continue
        target = frame.value(call.callee).of
        if not isinstance(target, Function) or _sort_met(term, event, frame) is None:
            continue
        is_bound = has_self(target) and isinstance(call.callee, Attribute)
        inner = frame.evaluator.entered(target, call, frame)
        casts = casts_in(inner, position + int(is_bound))
        yield from (_as_found(cast, call, frame) for cast in casts if cast.dtype not in _WIDE)
