"""Whether a condition holds for what the parameters of a function are bound to."""

from __future__ import annotations

from collections.abc import Callable

from torchlint.model.frames import Frame
from torchlint.model.terms import Argument, Constant, Operation, Term
from torchlint.model.values import Kind

# Some object: not None, and of two such it is not known whether they are one.
_OBJECT = (object(),)


def truth(term: Term, frame: Frame) -> bool | None:
    """Whether a condition holds for the arguments of a frame; None where that is not known."""
    if isinstance(term, Operation) and term.operator == "not":
        inner = truth(term.parts[0], frame)
        return None if inner is None else not inner
    return compared(term, lambda part: _plain(part, frame))


def compared(term: Term, plain: Callable[[Term], tuple[object] | None]) -> bool | None:
    """Whether a value, or a comparison of two, holds; None where that is not known. plain: what a term is, alone in a
    tuple."""
    if isinstance(term, Operation) and term.operator in ("==", "!=", "is", "is not") and len(term.parts) == 2:
        left, right = map(plain, term.parts)
        if left is None or right is None or left is right is _OBJECT:
            return None
        return (left == right) is (term.operator in ("==", "is"))
    value = plain(term)
    return None if value is None else bool(value[0])


def combined(term: Term, ask: Callable[[Term], bool | None]) -> bool | None:
    """Whether a condition holds, from what `ask` says of the parts that `not`, `and` and `or` join."""
    if not isinstance(term, Operation) or term.operator not in ("not", "and", "or"):
        return ask(term)
    found = [combined(part, ask) for part in term.parts]
    if term.operator == "not":
        return None if found[0] is None else not found[0]
    deciding = term.operator == "or"
    return deciding if deciding in found else None if None in found else not deciding


def constant(term: Term) -> tuple[object] | None:
    """What is written out, alone in a tuple; None for all else."""
    return (term.value,) if isinstance(term, Constant) else None


def _plain(term: Term, frame: Frame) -> tuple[object] | None:
    """A constant, alone in a tuple, or some object; None for what is not known."""
    written = constant(term)
    if written is not None:
        return written
    value = frame.value(term)
    if value.kind is Kind.NONE:
        return (None,) if isinstance(term, Argument) and term.index in frame.arguments else None
    if isinstance(value.constant, (bool, int, str)):
        return (value.constant,)
    return _OBJECT if value.kind in (Kind.OBJECT, Kind.MODULE) else None
