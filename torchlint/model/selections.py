"""Tests that choose which of many tensors are meant: of the dtype, or of the name."""

from __future__ import annotations

from torchlint.model.enumerated import within
from torchlint.model.events import Evaluated, Event
from torchlint.model.facts import Function
from torchlint.model.terms import Attribute, Call, Comprehension, Operation, Term, mentions

_DTYPE_TESTS = frozenset("is_floating_point is_complex dtype floating_point_ops requires_grad".split())


def is_selected(event: Event) -> bool:
    """True where a test decides which values are converted: of the dtype, or of the name.

    isinstance(value, Tensor) and `value is not None` select nothing: integer tensors pass them.
    """
    return any(mentions(region.subject, _DTYPE_TESTS) or _tests_name(region.subject) for region in event.guards())


def is_filtered(listed: Comprehension, function: Function) -> bool:
    """True where a comprehension takes only some of what it walks over: something is evaluated inside that is no part
    of its elements and of what it walks over."""
    parts = {id(part) for part in within(listed)}
    first, last = listed.place[:2], listed.place[2:]
    return any(
        isinstance(event, Evaluated)
        and first <= event.term.place[:2]
        and event.term.place[2:] <= last
        and id(event.term) not in parts
        for event in function.events
    )


def _tests_name(term: Term, depth: int = 6) -> bool:
    """A test of a key: membership, equality, startswith: the programmer chose."""
    if isinstance(term, Operation) and term.operator in ("in", "not in", "==", "!="):
        return True
    if isinstance(term, Call) and isinstance(term.callee, Attribute):
        return term.callee.name in ("startswith", "endswith", "match", "search", "fullmatch") or depth == 0
    return depth > 0 and isinstance(term, Operation) and any(_tests_name(part, depth - 1) for part in term.parts)
