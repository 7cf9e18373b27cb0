"""Index positions: where torch demands integers, and which floating values reach them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from torchlint.knowledge.lookup import index_arguments, is_only_of_tensors, takes_soft_targets
from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.facts import Function
from torchlint.model.frames import Frame
from torchlint.model.terms import NOWHERE, Attribute, Call, Display, Operation, Place, Subscript, Term
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

_HELPER_DEPTH = 2

@dataclass(frozen=True, slots=True)
class FloatIndex:
    """A floating value in an index position. born: where it became floating. used: the index. by: what indexes, in words."""

    born: Span
    used: Span
    by: str


def float_indices(frame: Frame, depth: int = _HELPER_DEPTH) -> Iterator[FloatIndex]:
    """The floating values that reach index positions in a function, and in helpers that it passes them to."""
    for event in frame.function.events:
        for term, by in _positions(event, frame):
            value = frame.value(term)
            if _is_floating(value) and value.cast is not None:
                yield FloatIndex(value.cast, frame.span(_place(event)), by)
        if depth and isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from _in_helper(event.term, frame, depth)


def _place(event: Event) -> Place:
    """Where the indexing stands."""
    return event.place if isinstance(event, ItemWrite) else event.term.place if isinstance(event, Evaluated) else NOWHERE


def _is_floating(value: TensorValue) -> bool:
    """A Parameter is left out: as an index it is the key of a dict of per-parameter state."""
    return value.is_floating and value.kind in (Kind.TENSOR, Kind.BUFFER, Kind.UNKNOWN)


def _positions(event: Event, frame: Frame) -> Iterator[tuple[Term, str]]:
    """The terms that stand in index positions of an event, and what indexes."""
    if isinstance(event, ItemWrite):
        if _can_be_tensor(frame.value(event.base)):
            yield from ((term, "subscript") for term in _parts(event.index))
    elif not isinstance(event, Evaluated):
        return
    elif isinstance(event.term, Subscript):
        if _can_be_tensor(frame.value(event.term.base)):
            yield from ((term, "subscript") for term in _parts(event.term.index))
    elif isinstance(event.term, Call):
        yield from _of_call(event.term, frame)


def _can_be_tensor(base: TensorValue) -> bool:
    """A list or dict is indexed by other rules."""
    return base.is_tensor or base.kind is Kind.UNKNOWN


def _parts(index: Term) -> tuple[Term, ...]:
    if isinstance(index, Display):
        return tuple(term for part in index.parts for term in _parts(part))
    return index.parts if isinstance(index, Operation) and index.operator == "slice" else (index,)


def _of_call(call: Call, frame: Frame) -> Iterator[tuple[Term, str]]:
    name = _called_name(call, frame)
    if name is None or takes_soft_targets(name):
        return
    for position, keyword in index_arguments(name):
        term = call.argument(position, keyword)
        if term is not None:
            yield term, name.rpartition(".")[2]


def _called_name(call: Call, frame: Frame) -> str | None:
    """The name under which the tables know what is called: a function of torch, a layer, or a method of Tensor."""
    callee = call.callee
    value = frame.value(callee)
    if value.kind in (Kind.MODULE, Kind.CALLABLE):
        return value.made_by if value.of is None else None
    if not isinstance(callee, Attribute):
        return None
    base = frame.value(callee.base)
    if base.is_tensor or is_only_of_tensors(callee.name) or (base.kind is Kind.UNKNOWN and _names_dimension(call, frame)):
        return f"Tensor.{callee.name}"
    return None


def _names_dimension(call: Call, frame: Frame) -> bool:
    """gather(1, x), scatter_(0, x, ..): a dimension comes first, which no method of that name of another type takes."""
    return bool(call.arguments) and frame.value(call.arguments[0]).kind is Kind.NUMBER


def _in_helper(call: Call, frame: Frame, depth: int) -> Iterator[FloatIndex]:
    """A helper of the project that gets a floating value: what it does with it, where the value was born in the caller."""
    given = [frame.value(term) for term in call.inputs]
    if not any(_is_floating(value) and value.is_tensor for value in given):
        return
    target = frame.value(call.callee).of
    if not isinstance(target, Function) or target is frame.function:
        return
    inner = frame.evaluator.entered(target, call, frame)
    born = {value.cast for value in given}
    yield from (index for index in float_indices(inner, depth - 1) if index.born in born)
