"""Index positions: where torch demands integers, and which floating values reach them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.lookup import index_arguments, is_only_of_tensors
from torchlint.knowledge.torch_tables import INDEX_ARGUMENTS
from torchlint.model.evaluation.tensor_arguments import is_tensor_argument
from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.facts import Function
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, has_self, self_use
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
# Names of methods that are read too often to ask what each is called on.
_METHODS = frozenset(
    """
    append extend update items keys values get pop format join split view reshape size to cuda cpu float long int half
    permute transpose unsqueeze squeeze sum mean max min backward step zero_grad item tolist numpy detach clone
    contiguous expand repeat add_argument info debug print load save
    """.split()
)
_PLAIN = frozenset(("subscript", "index_select", "gather", "take"))
_ROUNDINGS = frozenset("floor ceil round trunc".split())
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
            if _is_refused(value, by, event, frame) and value.cast is not None and not _tests_dtype(event):
                yield FloatIndex(value.cast, frame.span(_place(event)), by)
        if depth and isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from _in_helper(event.term, frame, depth)


def _place(event: Event) -> Place:
    """Where the indexing stands."""
    return (
        event.place if isinstance(event, ItemWrite) else event.term.place if isinstance(event, Evaluated) else NOWHERE
    )


def _is_refused(value: TensorValue, by: str, event: Event, frame: Frame) -> bool:
    """True for a floating value in the position. Of what may be a number a subscript is sure of a tensor only, for a
    dict takes any key; a target of cross_entropy is surely no distribution where it has one dimension."""
    if not value.is_floating:
        return by in _PLAIN and _is_rounded(value)
    if by == "cross_entropy" or by == "CrossEntropyLoss":
        return value.is_tensor and value.ndim == 1 and not _is_vector(event, frame)
    is_quotient = value.kind is Kind.NUMBER or value.made_by == "operator./"
    if by == "subscript" and is_quotient and not value.is_tensor:
        return _base_is_tensor(event, frame)
    return _is_floating(value)


def _is_floating(value: TensorValue) -> bool:
    """A Parameter is left out: as an index it is the key of a dict of per-parameter state."""
    return value.is_floating and value.kind in (Kind.TENSOR, Kind.BUFFER, Kind.UNKNOWN)


def _is_rounded(value: TensorValue) -> bool:
    """True for a rounded tensor of which no more is known: nobody rounds whole numbers, and rounding keeps the type."""
    return value.is_tensor and value.dtype is None and (value.made_by or "").rpartition(".")[2] in _ROUNDINGS


def _is_vector(event: Event, frame: Frame) -> bool:
    """True for a loss of the scores of one sample: they have one dimension, and so have their probabilities."""
    call = event.term if isinstance(event, Evaluated) else None
    return isinstance(call, Call) and bool(call.arguments) and frame.value(call.arguments[0]).ndim == 1


def _base_is_tensor(event: Event, frame: Frame) -> bool:
    if isinstance(event, ItemWrite):
        return frame.value(event.base).is_tensor
    term = event.term if isinstance(event, Evaluated) else None
    if not isinstance(term, Subscript):
        return False
    base = term.base
    if (
        isinstance(base, Argument)
        and base.index not in frame.arguments
        and is_tensor_argument(base.index, frame.function)
    ):
        return True
    return frame.value(base).is_tensor or _is_indexed_by_tensors(term, frame)


def _is_indexed_by_tensors(term: Subscript, frame: Frame) -> bool:
    """True for x[rows, y] and x[:, y]: neither a slice nor a tensor stands in the key of a dict."""
    parts = term.index.parts if isinstance(term.index, Display) else ()
    integers = (value.is_tensor and value.is_integral for value in map(frame.value, parts))
    return _is_sliced_beside(term.index) or any(integers)


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
    elif parts and isinstance(base, (Global, Captured, Attribute)) and _is_open(base, frame):
        # No dict takes a slice as a key, and an array wants integers as a tensor does.
        tensors = [part for part in parts if frame.value(part).is_tensor and frame.value(part).is_floating]
        if tensors and (_is_sliced_beside(index) or _is_sliced_elsewhere(base, frame)):
            yield from ((part, "subscript") for part in tensors)


def _is_sliced_beside(index: Term) -> bool:
    """True for x[i, :]."""
    parts = index.parts if isinstance(index, Display) else ()
    return any(isinstance(part, Operation) and part.operator == "slice" for part in parts)


def _is_sliced_elsewhere(base: Term, frame: Frame) -> bool:
    """True for an attribute of the object that one of its methods indexes like an array: self.anchors[:, None]."""
    if not isinstance(base, Attribute) or frame.view is None or not frame.is_self(base.base):
        return False
    reads = ((method, read) for method in frame.view.methods for read in self_use(method).reads.get(base.name, ()))
    parents = (parent for method, read in reads for parent in parents_in(method).get(id(read.term), ()))
    return any(isinstance(parent, Subscript) and _is_sliced_beside(parent.index) for parent in parents)


def _is_open(base: Term, frame: Frame) -> bool:
    """True where nothing says what the base is: neither an object of the project nor a container."""
    value = frame.value(base)
    return value.kind is Kind.UNKNOWN and value.of is None


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
    for position, keyword in index_arguments(name) if name is not None else ():
        term = call.argument(position, keyword)
        if term is not None and name is not None:
            parts = term.parts if isinstance(term, Display) else (term,)
            yield from ((part, name.rpartition(".")[2]) for part in parts)


def _called_name(call: Call, frame: Frame) -> str | None:
    """The name under which the tables know what is called: a function of torch, a layer of self, or a method of
    Tensor."""
    callee = call.callee
    if isinstance(callee, Attribute) and f"Tensor.{callee.name}" in INDEX_ARGUMENTS:
        base = frame.value(callee.base)
        if base.is_tensor or (base.kind is Kind.UNKNOWN and _is_of_tensor(call, callee.name, frame)):
            return f"Tensor.{callee.name}"
        return None
    if isinstance(callee, Imported) and index_arguments(callee.name):
        return callee.name
    if isinstance(callee, Attribute) and not frame.is_self(callee.base) and callee.name in _METHODS:
        return None
    if not call.inputs or not isinstance(callee, (Attribute, Imported, Global, Captured, Choice, Call, Argument)):
        return None
    return _layer_called(frame.value(callee))


def _layer_called(layer: TensorValue) -> str | None:
    """The layer of torch that a call runs first: of a Sequential its first one."""
    if layer.kind is not Kind.MODULE or layer.of is not None:
        return None
    if layer.items and layer.made_by is not None and layer.made_by.endswith(".Sequential"):
        return _layer_called(layer.items[0])
    return layer.made_by


def _is_of_tensor(call: Call, name: str, frame: Frame) -> bool:
    """True where only a tensor has such a method, or takes such arguments: a dimension first."""
    return is_only_of_tensors(name) or _names_dimension(call, frame)


def _names_dimension(call: Call, frame: Frame) -> bool:
    """gather(1, x), scatter_(0, x, ..): a dimension comes first, which no method of that name of another type takes."""
    return bool(call.arguments) and frame.value(call.arguments[0]).kind is Kind.NUMBER


def _in_helper(call: Call, frame: Frame, depth: int) -> Iterator[FloatIndex]:
    """A helper of the project that gets a floating value: what it does with it, where the value was born in the
    caller."""
    target = _helper(call, frame)
    if target is None or target is frame.function.definition or not _indexes_with_parameters(target):
        return
    given = (part for term in call.inputs for part in _with_fields(frame.value(term)))
    born = {value.cast for value in given if _is_floating(value) and value.is_tensor}
    if born:
        inner = _entered(target, call, frame)
        yield from (index for index in float_indices(inner, depth - 1) if index.born in born)


def _with_fields(value: TensorValue) -> tuple[TensorValue, ...]:
    """A value, or what a record or a container holds."""
    return value.items if value.items is not None and value.kind in (Kind.OBJECT, Kind.CONTAINER) else (value,)


def _entered(target: Function, call: Call, frame: Frame) -> Frame:
    """The frame of a helper as a call enters it, the object bound where it is a method of another."""
    callee = call.callee
    run = frame.value(callee)
    if run.kind is Kind.MODULE and run.of is not None:
        return frame.evaluator.bound_frame(target, run.of, call, frame, receiver=callee)
    if isinstance(callee, Attribute) and not frame.is_self(callee.base) and has_self(target):
        owner = frame.value(callee.base).of
        if owner is not None:
            return frame.evaluator.bound_frame(target, owner, call, frame, receiver=callee.base)
    return frame.evaluator.entered(target, call, frame)


def _helper(call: Call, frame: Frame) -> Function | None:
    """The function of the project that a call enters by name, or as a method of self."""
    callee = call.callee
    if isinstance(callee, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(callee, frame.path)
        return found if isinstance(found, Function) else None
    if isinstance(callee, Attribute) and frame.is_self(callee.base) and frame.view is not None:
        method = frame.view.method(callee.name)
        return method if method is not None else _forward_of(callee, frame)
    if isinstance(callee, Attribute) and callee.name in _METHODS:
        return None
    return _method_elsewhere(call, frame) if call.inputs else None


def _forward_of(callee: Term, frame: Frame) -> Function | None:
    """The forward() of a module of the project."""
    run = frame.value(callee)
    return run.of.method("forward") if run.kind is Kind.MODULE and run.of is not None else None


def _method_elsewhere(call: Call, frame: Frame) -> Function | None:
    """A static method by its class, a method of an object of the project, or what the call of a module runs."""
    callee = call.callee
    if not isinstance(callee, Attribute):
        return _forward_of(callee, frame)
    owner = frame.value(callee.base)
    is_class = owner.made_by == "class"
    if owner.of is None or not (is_class or owner.kind in (Kind.OBJECT, Kind.MODULE)):
        return None
    method: Function | None = owner.of.method(callee.name) if hasattr(owner.of, "method") else None
    return None if method is None or (is_class and has_self(method)) else method


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
