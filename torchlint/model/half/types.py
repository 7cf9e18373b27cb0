"""Half precision: which of float16 and bfloat16 a dtype may be that a program chooses, and the casts to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchlint.model.flow.origins import origins
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import (
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
    Subscript,
    Term,
)
from torchlint.model.weights.aliases import function_called

HALVES = frozenset(("float16", "bfloat16"))
_TYPES = {"HalfTensor": "float16", "BFloat16Tensor": "bfloat16", "half": "float16"}
_DTYPE_NAME = re.compile(r"(?:.*_)?(?:dtype|precision)")
_NAMES = {"float16": "float16", "half": "float16", "bfloat16": "bfloat16"}
_DEPTH = 8


def cast_to(call: Call, frame: Frame) -> frozenset[str]:
    """The half types that a method call may cast its receiver to; empty for any other call."""
    callee = call.callee
    if not isinstance(callee, Attribute):
        return frozenset()
    if callee.name in ("half", "bfloat16"):
        return frozenset() if call.inputs else frozenset({"float16" if callee.name == "half" else "bfloat16"})
    if callee.name not in ("to", "type"):
        return frozenset()
    given = (term for key, term in [*((None, one) for one in call.arguments), *call.keywords] if key in (None, "dtype"))
    return frozenset[str]().union(*(halves_of(term, frame) for term in given))


def casts_up(call: Call, frame: Frame) -> bool:
    """True for .float(), .double() and .to(torch.float32)."""
    callee = call.callee
    if not isinstance(callee, Attribute):
        return False
    if callee.name in ("float", "double"):
        return not call.inputs
    wide = ("float32", "float64")
    return callee.name in ("to", "type") and any(frame.value(term).dtype in wide for term in call.inputs)


def halves_of(term: Term, frame: Frame, depth: int = _DEPTH) -> frozenset[str]:
    """The half types that a dtype may be, by what the program assigns to it."""
    if depth <= 0 or isinstance(term, Operation):
        return frozenset()
    if isinstance(term, Call):
        return _halves_given(term, frame, depth)
    if isinstance(term, Constant):
        name = term.value.rpartition(".")[2] if isinstance(term.value, str) else ""
        return frozenset({_TYPES[name]}) if name in _TYPES and name != "half" else frozenset()
    if isinstance(term, Imported) and term.name.rpartition(".")[2] in _TYPES:
        return frozenset({_TYPES[term.name.rpartition(".")[2]]})
    found = frozenset[str]().union(*(halves_of(part, where, depth - 1) for part, where in choices(term, frame)))
    dtype = frame.value(term).dtype if isinstance(term, (Imported, Global, Attribute)) else None
    is_dtype = dtype is not None and frame.value(term).made_by == "dtype"
    return found | (frozenset({dtype}) & HALVES if is_dtype and dtype else frozenset())


def _halves_given(call: Call, frame: Frame, depth: int) -> frozenset[str]:
    """The half types that a call gives: getattr(torch, "float16"), table.get(name), a helper that chooses one."""
    if last_name(call) == "getattr":
        dtype = frame.value(call).dtype
        return frozenset({dtype}) & HALVES if dtype else _halves_named(call.arguments[1:2], frame)
    if last_name(call) == "get" and isinstance(call.callee, Attribute):
        found = [halves_of(part, where, depth - 1) for part, where in _values_of(call.callee.base, frame)]
        return frozenset[str]().union(*found)
    target = function_called(call, frame)
    returned = target.function.returned if target is not None else ()
    return frozenset[str]().union(*(halves_of(one.value, target, depth - 2) for one in returned if target is not None))


def _halves_named(names: tuple[Term, ...], frame: Frame) -> frozenset[str]:
    """The half types that a text may name: by default, or on some branch."""
    found = (part for name in names for part, _ in (*choices(name, frame), (name, frame)))
    texts = (part.value for part in found if isinstance(part, Constant))
    return frozenset(_NAMES[text] for text in texts if isinstance(text, str) and text in _NAMES)


def choices(term: Term, frame: Frame) -> Iterator[tuple[Term, Frame]]:
    """What a term may stand for: the branches of a choice, the values of a table, what was stored on the object."""
    if isinstance(term, Choice):
        yield from ((option, frame) for option in term.options)
    elif isinstance(term, Captured) and frame.outer is not None:
        yield term.value, frame.outer
    elif isinstance(term, Subscript):
        yield from _values_of(term.base, frame)
    elif isinstance(term, Argument) and term.index < len(frame.function.parameters):
        default = frame.function.parameters[term.index].default
        if default is not None:
            yield default, frame
    elif isinstance(term, Attribute):
        yield from ((found, where) for found, where in origins(term, frame, 1) if found is not term)
    elif isinstance(term, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(term, frame.path)
        if isinstance(found, Value):
            yield found.term, frame.evaluator.frame(found.top, None)


def _values_of(table: Term, frame: Frame, depth: int = 3) -> Iterator[tuple[Term, Frame]]:
    if isinstance(table, Display):
        yield from ((part, frame) for part in table.parts)
    elif depth:
        for found, where in choices(table, frame):
            yield from _values_of(found, where, depth - 1)


def is_open_dtype(term: Term) -> bool:
    """True for x.dtype, and for a parameter called dtype."""
    if isinstance(term, Attribute) and term.name == "dtype":
        return not (isinstance(term.base, Attribute) and term.base.name.isupper())
    while isinstance(term, Captured):
        term = term.value
    return isinstance(term, (Argument, Attribute)) and _DTYPE_NAME.fullmatch(term.name) is not None
