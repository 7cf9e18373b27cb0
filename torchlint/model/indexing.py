"""Index positions: where torch demands integers, and which floating values reach them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from torchlint.knowledge.lookup import index_argument, is_only_of_tensors
from torchlint.model.events import Evaluated, Event, ItemWrite
from torchlint.model.facts import Function
from torchlint.model.frames import Frame
from torchlint.model.terms import NOWHERE, Attribute, Call, Display, Operation, Place, Subscript, Term
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

_HELPER_DEPTH = 2
_EMBEDDINGS = ("torch.nn.Embedding", "torch.nn.EmbeddingBag")
# Class targets may be floating too: then they are probabilities.
_SOFT = frozenset(("torch.nn.functional.cross_entropy", "torch.nn.CrossEntropyLoss"))


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
    callee = call.callee
    name = ""
    if isinstance(callee, Attribute):
        base = frame.value(callee.base)
        layer = frame.value(callee)
        if layer.kind is Kind.MODULE and layer.made_by in _EMBEDDINGS and call.arguments:
            yield call.arguments[0], layer.made_by.rpartition(".")[2]
            return
        # gather(1, x) and its like on a value of unknown kind: no other common type takes a tensor there.
        if base.is_tensor or is_only_of_tensors(callee.name) or base.kind is Kind.UNKNOWN:
            name = f"Tensor.{callee.name}"
    else:
        name = frame.value(callee).made_by or ""
    if name == "torch.nn.functional.embedding":
        position: tuple[int, str] | None = (0, "input")
    else:
        position = index_argument(name) if name not in _SOFT else None
    term = call.argument(position[0], position[1]) if position else None
    if term is not None:
        yield term, name.rpartition(".")[2]


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
