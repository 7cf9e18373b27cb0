"""Index positions: where torch demands integers, and which floating values reach them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.lookup import index_arguments, takes_soft_targets
from torchlint.knowledge.torch_tables import INDEX_ARGUMENTS
from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.facts import Function
from torchlint.model.frames import Frame
from torchlint.model.terms import (
    NOWHERE,
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Global,
    Imported,
    Operation,
    Place,
    Subscript,
    Term,
    children,
    mentions,
)
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

_HELPER_DEPTH = 2
_DTYPE_TESTS = frozenset({"dtype", "is_floating_point"})


@dataclass(frozen=True, slots=True)
class FloatIndex:
    """A floating value in an index position. born: where it became floating. used: the index. by: what indexes, in
    words."""

    born: Span
    used: Span
    by: str


def float_indices(frame: Frame, depth: int = _HELPER_DEPTH) -> Iterator[FloatIndex]:
    """The floating values that reach index positions in a function, and in helpers that it passes them to.

    A test of the value's dtype around the use counts as the author's own care, and silences it.
    """
    for event in frame.function.events:
        for term, by in _positions(event, frame):
            value = frame.value(term)
            if _is_floating(value) and value.cast is not None and not _tests_dtype(event):
                yield FloatIndex(value.cast, frame.span(_place(event)), by)
        if depth and isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from _in_helper(event.term, frame, depth)


def _place(event: Event) -> Place:
    """Where the indexing stands."""
    return (
        event.place if isinstance(event, ItemWrite) else event.term.place if isinstance(event, Evaluated) else NOWHERE
    )


def _is_floating(value: TensorValue) -> bool:
    """A Parameter is left out: as an index it is the key of a dict of per-parameter state."""
    return value.is_floating and value.kind in (Kind.TENSOR, Kind.BUFFER, Kind.UNKNOWN)


def _tests_dtype(event: Event) -> bool:
    return any(mentions(guard.subject, _DTYPE_TESTS) for guard in event.guards())


def _positions(event: Event, frame: Frame) -> Iterator[tuple[Term, str]]:
    """The terms that stand in index positions of an event, and what indexes. What is cheap to rule out is never
    evaluated."""
    if isinstance(event, ItemWrite):
        yield from _of_subscript(event.base, event.index, frame)
    elif not isinstance(event, Evaluated):
        return
    elif isinstance(event.term, Subscript):
        yield from _of_subscript(event.term.base, event.term.index, frame)
    elif isinstance(event.term, Call):
        yield from _of_call(event.term, frame)


def _of_subscript(base: Term, index: Term, frame: Frame) -> Iterator[tuple[Term, str]]:
    parts = [part for part in _parts(index) if not isinstance(part, Constant)]
    if parts and _can_be_tensor(base, frame):
        yield from ((part, "subscript") for part in parts)


def _can_be_tensor(base: Term, frame: Frame) -> bool:
    """A list or dict is indexed by other rules, and an attribute of an unknown object may well be a dict."""
    if isinstance(base, (Attribute, Imported, Global)):
        return frame.value(base).is_tensor
    value = frame.value(base)
    return value.is_tensor or (
        value.kind is Kind.UNKNOWN and isinstance(base, (Argument, Captured, Subscript, Call, Choice))
    )


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
    """The name under which the tables know what is called: a function of torch, a layer of self, or a method of
    Tensor."""
    callee = call.callee
    if isinstance(callee, Attribute) and f"Tensor.{callee.name}" in INDEX_ARGUMENTS:
        base = frame.value(callee.base)
        if base.is_tensor or (base.kind is Kind.UNKNOWN and _names_dimension(call, frame)):
            return f"Tensor.{callee.name}"
        return None
    if isinstance(callee, Imported):
        return callee.name
    if isinstance(callee, Attribute) and frame.is_self(callee.base):
        layer = frame.value(callee)
        return layer.made_by if layer.kind is Kind.MODULE and layer.of is None else None
    return None


def _names_dimension(call: Call, frame: Frame) -> bool:
    """gather(1, x), scatter_(0, x, ..): a dimension comes first, which no method of that name of another type takes."""
    return bool(call.arguments) and frame.value(call.arguments[0]).kind is Kind.NUMBER


def _in_helper(call: Call, frame: Frame, depth: int) -> Iterator[FloatIndex]:
    """A helper of the project that gets a floating value: what it does with it, where the value was born in the
    caller."""
    target = _helper(call, frame)
    if target is None or target is frame.function or not _indexes_with_parameters(target):
        return
    born = {
        value.cast for value in (frame.value(term) for term in call.inputs) if _is_floating(value) and value.is_tensor
    }
    if born:
        inner = frame.evaluator.entered(target, call, frame)
        yield from (index for index in float_indices(inner, depth - 1) if index.born in born)


def _helper(call: Call, frame: Frame) -> Function | None:
    """The function of the project that a call enters by name, or as a method of self."""
    callee = call.callee
    if isinstance(callee, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(callee, frame.path)
        return found if isinstance(found, Function) else None
    if isinstance(callee, Attribute) and frame.is_self(callee.base) and frame.view is not None:
        return frame.view.method(callee.name)
    return None


def _indexes_with_parameters(function: Function) -> bool:
    """True where a parameter stands in an index position of a function, as it came or after a method call."""
    known: bool | None = function.derived.get("indexes with parameters")
    if known is None:
        known = function.derived["indexes with parameters"] = any(map(_index_holds_argument, function.events))
    return known


def _index_holds_argument(event: Event) -> bool:
    if isinstance(event, ItemWrite):
        terms: tuple[Term, ...] = _parts(event.index)
    elif isinstance(event, Evaluated) and isinstance(event.term, Subscript):
        terms = _parts(event.term.index)
    elif isinstance(event, Evaluated) and isinstance(event.term, Call):
        terms = event.term.inputs
    else:
        return False
    return any(isinstance(leaf, Argument) for term in terms for leaf in (term, *children(term)))
