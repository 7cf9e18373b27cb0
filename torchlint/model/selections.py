"""Tests that choose which of many tensors are meant: of the dtype, or of the name."""

from __future__ import annotations

from torchlint.model.events import Event
from torchlint.model.terms import Attribute, Call, Operation, Term, mentions

_DTYPE_TESTS = frozenset("is_floating_point is_complex dtype floating_point_ops requires_grad".split())


def is_selected(event: Event) -> bool:
    """True where a test decides which values are converted: of the dtype, or of the name.

    isinstance(value, Tensor) and `value is not None` select nothing: integer tensors pass them.
    """
    return any(mentions(region.subject, _DTYPE_TESTS) or _tests_name(region.subject) for region in event.guards())


def _tests_name(term: Term, depth: int = 6) -> bool:
    """A test of a key: membership, equality, startswith: the programmer chose."""
    if isinstance(term, Operation) and term.operator in ("in", "not in", "==", "!="):
        return True
    if isinstance(term, Call) and isinstance(term.callee, Attribute):
        return term.callee.name in ("startswith", "endswith", "match", "search", "fullmatch") or depth == 0
    return depth > 0 and isinstance(term, Operation) and any(_tests_name(part, depth - 1) for part in term.parts)
