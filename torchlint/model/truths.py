"""Whether a condition holds for what the parameters of a function are bound to."""

from __future__ import annotations

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
    if isinstance(term, Operation) and term.operator in ("==", "!=", "is", "is not") and len(term.parts) == 2:
        left, right = (_plain(part, frame) for part in term.parts)
        if left is None or right is None or left is right is _OBJECT:
            return None
        return (left == right) is (term.operator in ("==", "is"))
    value = _plain(term, frame)
    return None if value is None else bool(value[0])


def _plain(term: Term, frame: Frame) -> tuple[object] | None:
    """A constant, alone in a tuple, or some object; None for what is not known."""
    if isinstance(term, Constant):
        return (term.value,)
    value = frame.value(term)
    if value.kind is Kind.NONE:
        return (None,) if isinstance(term, Argument) and term.index in frame.arguments else None
    if isinstance(value.constant, (bool, int, str)):
        return (value.constant,)
    return _OBJECT if value.kind in (Kind.OBJECT, Kind.MODULE) else None
