"""In-place writes to tensors: methods, operators, items, functions with out=, layers that work in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.conversions import UNCHANGED
from torchlint.model.events import Evaluated, ItemWrite
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.layers import built
from torchlint.model.terms import Attribute, Call, Constant, Imported, Place, Term
from torchlint.model.values import Kind
from torchlint.model.weights.enumerated import is_in_place, writes_into

_BYTE = 255
_DIVIDES = frozenset(("/=", "div_", "divide_"))


@dataclass(frozen=True, slots=True)
class MemoryWrite:
    """An in-place write: the tensor that is written, the operation in words, and where. is_of_bytes: it divides by 255,
    as is done with bytes, which a conversion to floats has copied."""

    target: Term
    operation: str
    place: Place
    is_of_bytes: bool = False


def memory_writes(frame: Frame) -> Iterator[MemoryWrite]:
    """The statements of a function that write into a tensor: methods, operators, items, functions with out= or
    inplace=True."""
    for written in writes_into(frame):
        if written.term is not None and written.operation not in UNCHANGED:
            name = f"{written.operation}()" if is_in_place(written.operation) else written.operation
            is_of_bytes = written.operation in _DIVIDES and any(map(_is_byte, written.operands))
            yield MemoryWrite(written.target, name, written.term.place, is_of_bytes)
    for event in frame.function.events:
        if isinstance(event, ItemWrite) and not is_key(event.index):
            yield MemoryWrite(event.base, "an item assignment", event.place)
        elif isinstance(event, Evaluated) and isinstance(event.term, Call) and isinstance(event.term.callee, Imported):
            yield from _by_function(event.term, event.term.callee.name)
        elif isinstance(event, Evaluated) and isinstance(event.term, Call) and isinstance(event.term.callee, Attribute):
            yield from _by_layer(event.term, event.term.callee, frame)


def _is_byte(term: Term) -> bool:
    return isinstance(term, Constant) and term.value == _BYTE


def is_key(index: Term) -> bool:
    """True for the name of an item of a dict."""
    return isinstance(index, Constant) and isinstance(index.value, str)


def _by_function(call: Call, name: str) -> Iterator[MemoryWrite]:
    if not name.startswith("torch.") or not call.inputs:
        return
    last = name.rpartition(".")[2]
    out, inplace = call.keyword("out"), call.keyword("inplace")
    if out is not None:
        yield MemoryWrite(out, f"{last}(out=)", call.place)
    elif call.arguments and is_in_place(last) and not last.startswith("_"):
        yield MemoryWrite(call.arguments[0], f"{last}()", call.place)
    elif call.arguments and _is_true(inplace):
        yield MemoryWrite(call.arguments[0], f"{last}(inplace=True)", call.place)


def _by_layer(call: Call, layer: Attribute, frame: Frame) -> Iterator[MemoryWrite]:
    """self.act(x), where the constructor made nn.ReLU(inplace=True) of it."""
    made_by = frame.value(layer).made_by or "" if frame.is_self(layer.base) and len(call.arguments) == 1 else ""
    if not made_by.startswith("torch.nn.") or frame.value(layer).kind is not Kind.MODULE:
        return
    made = [constructor for constructor, _ in built(layer, frame)]
    if made and all(_is_true(constructor.keyword("inplace")) for constructor in made):
        yield MemoryWrite(call.arguments[0], f"{last_name(made[0])}(inplace=True)", call.place)


def _is_true(term: Term | None) -> bool:
    return isinstance(term, Constant) and term.value is True
