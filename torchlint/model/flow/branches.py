"""Branches: what the conditions around an event say, so that two events can be compared wherever they are written.

`if self.amp:` at two places is one condition; `if scaler is None: ..` and `if scaler:` speak of the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torchlint.model.events import Region
from torchlint.model.terms import Attribute, Call, Choice, Constant, Operation, Subscript, Term

Signature = tuple[object, ...]
Facts = Mapping[Signature, object]
"""What holds where something happens: conditions by what they say, with True, False or (of "is") the constant."""

# A test of several parts as it is written.
_WHOLE = "whole"
_NEGATED = {"is not": "is", "!=": "==", "not in": "in"}
_FLIPPED = {"<": ">=", ">": "<="}
_DEPTH = 8

Names = Callable[[Term], object]
"""What a plain value is known as: the same for two terms that name one object."""


def facts_of(regions: tuple[tuple[Region, Names], ...]) -> Facts:
    """What the conditions around an event say, each read with the names of its own function."""
    found: dict[Signature, object] = {}
    for region, names in regions:
        _assume(region.subject, region.holds, names, found)
    return found


def condition(term: Term, names: Names) -> Facts:
    """What holds where `term` is true."""
    found: dict[Signature, object] = {}
    _assume(term, True, names, found)
    return found


def exclude(one: Facts, other: Facts) -> bool:
    """True where the two never happen in one pass."""
    return any(key in other and other[key] != value for key, value in one.items())


def implies(given: Facts, wanted: Facts) -> bool:
    """True where whatever `given` says is enough for `wanted`."""
    return not extra(wanted, given)


def extra(facts: Facts, given: Facts) -> list[Signature]:
    """The conditions of `facts` that `given` does not say."""
    return [key for key, value in facts.items() if key[0] != _WHOLE and (key not in given or given[key] != value)]


def _assume(term: Term, holds: bool, names: Names, found: dict[Signature, object]) -> None:
    if isinstance(term, Call) and getattr(term.callee, "name", "") == "bool" and len(term.arguments) == 1:
        term = term.arguments[0]
    if isinstance(term, Operation) and term.operator == "not":
        _assume(term.parts[0], not holds, names, found)
    elif isinstance(term, Operation) and term.operator in ("and", "or"):
        # The other branch of the same test says no more of the parts than that.
        found.setdefault((_WHOLE, signature(term, names)), holds)
        if holds is (term.operator == "and"):
            for part in term.parts:
                _assume(part, holds, names, found)
        else:
            found.setdefault(signature(term, names), holds)
    elif isinstance(term, Operation) and len(term.parts) == 2 and _compared(term, holds, names, found):
        pass
    elif not isinstance(term, Constant):
        found.setdefault(signature(term, names), holds)
        left = _left(term, holds) if isinstance(term, Choice) else []
        if len(left) == 1:
            _assume(left[0], holds, names, found)


def _left(choice: Choice, holds: bool) -> list[Term]:
    """What a value may be by its truth: of `backprop = False` under a condition, a true one is what was given."""
    return [one for one in choice.options if not isinstance(one, Constant) or bool(one.value) is holds]


def _compared(term: Operation, holds: bool, names: Names, found: dict[Signature, object]) -> bool:
    """Note what a comparison says; False where it is none that we read."""
    operator, (left, right) = term.operator, term.parts
    if operator in _NEGATED:
        operator, holds = _NEGATED[operator], not holds
    if operator in _FLIPPED:
        operator, holds = _FLIPPED[operator], not holds
    if operator not in ("is", "==", "in", ">=", "<="):
        return False
    plain = signature(left, names)
    found.setdefault((operator, plain, signature(right, names)), holds)
    if operator in ("is", "==") and isinstance(right, Constant):
        _note_value(plain, right.value, holds, found)
    return True


def _note_value(plain: Signature, value: object, holds: bool, found: dict[Signature, object]) -> None:
    """`x is None` makes x false, `x == "amp"` rules out `x == "apex"`, `x is True` is x."""
    if value is None and holds:
        found.setdefault(plain, False)
    elif isinstance(value, bool):
        found.setdefault(plain, value is holds)
    elif holds:
        found.setdefault(("value", plain), value)


def signature(term: Term, names: Names, depth: int = _DEPTH) -> Signature:
    """What a term says, the same for two terms that say the same of the same objects."""
    if depth:
        if isinstance(term, Constant):
            return ("constant", type(term.value).__name__, term.value)
        if isinstance(term, Operation):
            return (term.operator, *(signature(part, names, depth - 1) for part in term.parts))
        if isinstance(term, Call):
            return ("call", *(signature(part, names, depth - 1) for part in (term.callee, *term.inputs)))
        if isinstance(term, Attribute) and isinstance(term.base, (Call, Operation)):
            return ("attribute", signature(term.base, names, depth - 1), term.name)
        if isinstance(term, Subscript):
            return ("item", signature(term.base, names, depth - 1), signature(term.index, names, depth - 1))
    return ("name", names(term)) if not isinstance(term, Choice) else ("choice", id(term))
