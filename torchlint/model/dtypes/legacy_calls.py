"""Calls of torch's legacy constructors, torch.Tensor(..) and torch.cuda.FloatTensor(..), and what their arguments mean:
data, or the sizes of memory that nobody wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.dtypes import legacy_tensor
from torchlint.model.events import Evaluated
from torchlint.model.flow.origins import default_of
from torchlint.model.flow.passed import passed
from torchlint.model.flow.uses import Parent, parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import External, Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
)
from torchlint.model.values import Kind

# What a single number is called that gives a size. A plural is as often a list.
_SIZE = re.compile(
    r"(?:^|_)(?:dim|size|channels?|num|n|units|classes|class_num|heads|planes|width|height|nhid|nfeat|ninp?|nout|d_model|"
    r"embedding_size|vocab|rank|bs|(?:in|out|n)_?features?|max_len|max_length)\d*(?:$|_)"
)
# What a size is called, and as often what is measured: a batch, the lengths of its rows.
_SIZE_OR_DATA = re.compile(r"(?:^|_)(?:features?|hidden|len|length|count|embed|emb|k|d|c|batch|in|out)\d*(?:$|_)")
_TAKES_SIZES = re.compile(r"\w*Tensor|zeros|ones|empty|randn?|Linear|Embedding|LSTM|GRU|Conv[123]d")
_ARITHMETIC = frozenset(("+", "-", "*", "//", "%"))
_TAKES_APART = frozenset("len enumerate zip list tuple sorted sum map".split())
_DEPTH = 4
# What the constructors refuse, whatever the value is.
_REFUSED = frozenset(("dtype", "requires_grad"))


@dataclass(frozen=True, slots=True)
class LegacyCall:
    """A legacy constructor call. name: as in torch, "cuda.FloatTensor". form: "sized" (memory of some sizes), "sizes"
    (one tuple or list of what may be sizes), "data", "empty", or the keyword that makes it raise: "dtype",
    "requires_grad", "device"."""

    call: Call
    event: Evaluated
    name: str
    form: str


def legacy_calls(frame: Frame) -> Iterator[LegacyCall]:
    """The legacy constructor calls of a function, in order."""
    for event in frame.function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call) or not _may_be_legacy(call.callee):
            continue
        name = _legacy_name(call.callee, frame)
        if name is not None and isinstance(event, Evaluated):
            yield LegacyCall(call, event, name.removeprefix("torch."), _form(call, name, frame))


def _may_be_legacy(callee: Term) -> bool:
    if isinstance(callee, Choice):
        return all(_may_be_legacy(option) for option in callee.options)
    return isinstance(callee, (Imported, Global, Captured)) and (
        isinstance(callee, Captured) or last_name(callee).endswith("Tensor")
    )


def _legacy_name(callee: Term, frame: Frame, depth: int = _DEPTH) -> str | None:
    """The dotted name of the constructor that a term is; the first of a choice between such."""
    if isinstance(callee, Captured):
        return _legacy_name(callee.value, frame.outer, depth) if frame.outer and depth else None
    if isinstance(callee, Choice):
        names = [_legacy_name(option, frame, depth - 1) if depth else None for option in callee.options]
        return names[0] if None not in names else None
    if not isinstance(callee, (Imported, Global)):
        return None
    found = frame.evaluator.project.names.of_term(callee, frame.path)
    if isinstance(found, Value) and depth:
        return _legacy_name(found.term, frame.evaluator.frame(found.top, None), depth - 1)
    return found.name if isinstance(found, External) and legacy_tensor(found.name) is not None else None


def _form(call: Call, name: str, frame: Frame) -> str:
    for keyword, given in call.keywords:
        if keyword in _REFUSED:
            return keyword
        if keyword == "device" and "cuda" not in name and not _is_cpu(given, frame):
            return "device"
    if call.keyword("size") is not None:
        return "sized"
    if any(isinstance(term, Starred) for term in call.arguments) or len(call.arguments) > 1:
        return "sized"
    return _form_of_one(call.arguments[0], frame) if call.arguments else "empty"


def _form_of_one(term: Term, frame: Frame) -> str:
    if isinstance(term, Display):
        are_sizes = len(term.parts) > 1 and not any(_is_no_size(part, frame) for part in term.parts)
        return "sizes" if are_sizes else "data"
    value = frame.value(term)
    is_shape = isinstance(term, Attribute) and term.name == "shape" and frame.value(term.base).is_tensor
    is_call = isinstance(term, Call) and isinstance(term.callee, Attribute) and last_name(term) == "size"
    if value.kind is Kind.NUMBER or is_shape or (is_call and value.kind is Kind.CONTAINER):
        return "sized"
    is_number = is_size(term, frame) or _is_size_elsewhere(term, frame)
    return "sized" if value.kind is Kind.UNKNOWN and is_number else "data"


def _is_size_elsewhere(term: Term, frame: Frame) -> bool:
    """True for an argument that is also one of several sizes in the same function: Linear(columns, 3)."""
    if not isinstance(term, Argument):
        return False
    calls = frame.function.calls
    return any(
        isinstance(given, Argument) and given.index == term.index
        for call in calls
        if len(call.arguments) > 1 and isinstance(call.callee, Imported) and _TAKES_SIZES.fullmatch(last_name(call))
        for given in call.arguments
    )


def is_size(term: Term, frame: Frame, depth: int = _DEPTH) -> bool:
    """True for what is a whole number, or is called like one: hidden_dim, 2 * self.channels."""
    value = frame.value(term)
    if value.kind is Kind.NUMBER:
        return value.dtype != "floating"
    if isinstance(term, Operation):
        return depth > 0 and term.operator in _ARITHMETIC and all(is_size(p, frame, depth - 1) for p in term.parts)
    if value.kind is not Kind.UNKNOWN:
        return False
    if isinstance(term, Captured):
        return frame.outer is not None and is_size(term.value, frame.outer, depth - 1)
    if isinstance(term, Attribute) and term.known is not None and depth:
        return is_size(term.known, frame, depth - 1)
    if isinstance(term, Argument):
        return _is_given_size(term, frame)
    if not isinstance(term, (Attribute, Global)):
        return False
    return any(words.search(term.name.lower()) for words in (_SIZE, _SIZE_OR_DATA))


def _is_given_size(argument: Argument, frame: Frame) -> bool:
    """True for a parameter that is called like a number and that nobody takes apart; where data may be called so too,
    one that the function counts with, or that is a number by its default or its callers."""
    parents = parents_in(frame.function).get(id(argument), ())
    if any(_takes_apart(parent, argument) for parent in parents):
        return False
    name = argument.name.lower()
    if _SIZE.search(name):
        return True
    return _SIZE_OR_DATA.search(name) is not None and (
        any(_counts_with(parent, frame) for parent in parents)
        or _is_size_elsewhere(argument, frame)
        or any(_is_whole(term) for term in (default_of(argument, frame.function), *passed(argument, frame)))
    )


def _takes_apart(parent: Parent, argument: Argument) -> bool:
    """True for what nobody does with a number: subscripts, iteration, len(), its attributes."""
    if isinstance(parent, Subscript):
        return parent.base is argument
    if isinstance(parent, Call):
        return last_name(parent) in _TAKES_APART and isinstance(parent.callee, Global)
    return isinstance(parent, (Element, Item, Starred, Attribute))


def _counts_with(parent: Parent, frame: Frame) -> bool:
    """True for range(k), and for arithmetic with a number."""
    if isinstance(parent, Call):
        return last_name(parent) == "range"
    if not isinstance(parent, Operation) or parent.operator not in _ARITHMETIC:
        return False
    return any(frame.value(part).kind is Kind.NUMBER for part in parent.parts)


def _is_whole(term: Term | None) -> bool:
    return isinstance(term, Constant) and isinstance(term.value, int) and not isinstance(term.value, bool)


def _is_no_size(term: Term, frame: Frame) -> bool:
    """True for what stands in no tuple of sizes: floats, lists, tensors."""
    value = frame.value(term)
    return isinstance(term, (Display, Starred)) or value.is_floating or value.is_tensor or value.kind is Kind.CONTAINER


def _is_cpu(term: Term, frame: Frame) -> bool:
    """True for device="cpu", torch.device("cpu") and None: the constructor takes no other."""
    if isinstance(term, Call) and last_name(term) == "device" and term.arguments:
        return _is_cpu(term.arguments[0], frame)
    if isinstance(term, Constant):
        return term.value is None or str(term.value).startswith("cpu")
    constant: object = frame.value(term).constant
    return constant == "cpu"
