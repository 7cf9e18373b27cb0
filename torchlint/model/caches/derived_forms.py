"""What a value of construction is to the Parameter that it comes from: computed, a view of its memory, or a copy."""

from __future__ import annotations

from enum import Enum

from torchlint.knowledge.lookup import is_view
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Constant, Display, Operation, Subscript, Term
from torchlint.model.values import Kind

_CONVERSIONS = frozenset("to type type_as half float double bfloat16 cuda cpu xpu long int bool byte".split())
_TRANSPOSED = frozenset("T mT H mH".split())
_TRANSPOSING = frozenset("t transpose swapaxes swapdims permute movedim moveaxis".split())
# What gives a tensor's value as a Python number.
_NUMBERS = frozenset("item float tolist".split())
_ARITHMETIC = frozenset("+ - * / **".split())
_SAME_MEMORY = _TRANSPOSED | {"data", "real", "imag"}


class Form(Enum):
    """What a value is to its source: computed from it, a view into its memory, or a copy that is meant to stay."""

    COMPUTED = "computed"
    VIEW = "view"
    COPY = "copy"


def form_of(term: Term, frame: Frame) -> Form | None:
    """What a value is to its source; None for what may be the Parameter itself."""
    is_copy, is_cut, is_turned = False, False, False
    start = term
    while frame.value(term).kind is not Kind.PARAMETER:
        is_turned = is_turned or _turns(term)
        if isinstance(term, Call) and last_name(term.callee) in ("clone", "deepcopy"):
            is_copy, is_cut = True, is_cut or last_name(term.callee) == "deepcopy"
        is_cut = is_cut or _cuts(term)
        below = _below(term)
        if below is None:
            return Form.COMPUTED
        term = below
    if is_copy:
        # What is kept for later comparison has the layout of its source; a transposed copy is to be computed with.
        return Form.COPY if is_cut and not is_turned else Form.COMPUTED
    if _is_conversion(start):
        made, given = frame.value(start).dtype, frame.value(term).dtype
        return Form.COMPUTED if made and given and made != given and "ing" not in made + given else None
    return Form.VIEW


def _cuts(term: Term) -> bool:
    """True for .detach() and .data, by which the author takes a value out of the graph."""
    return (isinstance(term, Call) and last_name(term.callee) == "detach") or (
        isinstance(term, Attribute) and term.name == "data"
    )


def _turns(term: Term) -> bool:
    """True for a transposition."""
    if isinstance(term, Attribute):
        return term.name in _TRANSPOSED
    return isinstance(term, Call) and last_name(term.callee) in _TRANSPOSING


def _is_conversion(term: Term) -> bool:
    return isinstance(term, Call) and last_name(term.callee) in _CONVERSIONS


def _below(term: Term) -> Term | None:
    """What a term is a view, a copy or a conversion of; None where it computes."""
    if isinstance(term, Attribute) and term.name in _SAME_MEMORY:
        return term.base
    if isinstance(term, Subscript):
        return term.base if _is_basic(term.index) else None
    if isinstance(term, Call) and (is_view(last_name(term.callee)) or last_name(term.callee) in ("clone", "deepcopy")):
        if isinstance(term.callee, Attribute):
            return term.callee.base
        return term.arguments[0] if term.arguments else None
    return None


def _is_basic(index: Term) -> bool:
    """True for an index of slices and numbers, which gives a view."""
    if isinstance(index, Display):
        return all(_is_basic(part) for part in index.parts)
    return isinstance(index, Constant) or (isinstance(index, Operation) and index.operator == "slice")


def is_measured(term: Term) -> bool:
    """True for the number that a tensor was when it was asked: self.scale.exp().item(), float(norm) / 2."""
    if isinstance(term, Operation) and term.operator in _ARITHMETIC:
        return any(map(is_measured, term.parts))
    return isinstance(term, Call) and last_name(term) in _NUMBERS
