"""Tests in vain: conditions that no earlier store can change, so that the value is made anew at each call."""

from __future__ import annotations

from torchlint.model.terms import Call, Comprehension, Display, Operation, Subscript, Term
from torchlint.model.weights.enumerated import path_of, within

_COMPOSED = frozenset(("+", "f-string", "%"))
_FRESH = frozenset("keys values items list tuple dict set".split())


def is_vain(test: Term, keys: tuple[Term, ...]) -> bool:
    """True for `x is table.keys()`, which compares with a new object, and for `rate in table` where the store puts the
    value under a key that is composed of the rate and something else. Not known: the test decides."""
    while isinstance(test, Operation) and test.operator == "not":
        test = test.parts[0]
    if not isinstance(test, Operation) or len(test.parts) != 2:
        return False
    if test.operator in ("is", "is not"):
        return any(map(_is_new, test.parts))
    sought, table = test.parts
    is_search = test.operator in ("in", "not in") and not isinstance(table, Subscript)
    return is_search and bool(keys) and all(_is_made_of(key, sought) for key in keys)


def _is_new(term: Term) -> bool:
    """True for what each evaluation makes anew."""
    name = getattr(term.callee, "name", "") if isinstance(term, Call) else ""
    return isinstance(term, Comprehension) or name in _FRESH or (isinstance(term, Display) and term.kind != "tuple")


def _is_made_of(key: Term, sought: Term) -> bool:
    """True for str(rate) + device, and for (rate, device), where the rate is sought."""
    name = path_of(sought)
    is_composed = isinstance(key, Operation) and key.operator in _COMPOSED and len(key.parts) > 1
    is_composed = is_composed or (isinstance(key, Display) and key.kind == "tuple")
    return bool(name) and is_composed and any(path_of(part) == name for part in within(key))
