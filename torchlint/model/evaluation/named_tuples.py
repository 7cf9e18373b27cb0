"""Named tuples, as calls make them: Pair(score=.., box=..), here or in the function that returns one."""

from __future__ import annotations

from torchlint.model.evaluation.record_fields import form_of
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import Attribute, Call, Term
from torchlint.model.values import Kind

_MAKERS = frozenset("namedtuple NamedTuple".split())
_OPEN = frozenset((Kind.UNKNOWN, Kind.OBJECT))
_DEPTH = 2


def is_tuple_made(call: Call, frame: Frame) -> bool:
    """True for the call of a named tuple's class, that the file defines or imports."""
    if not call.inputs or (isinstance(call.callee, Attribute) and call.callee.name != "_make"):
        return False
    found = frame.evaluator.project.names.of_term(call.callee, frame.path)
    if isinstance(found, Value):
        return isinstance(found.term, Call) and last_name(found.term) in _MAKERS
    return hasattr(found, "foreign_bases") and form_of(found) == "named tuple"  # type: ignore[arg-type]


def is_named_tuple(term: Term, frame: Frame, depth: int = _DEPTH) -> bool:
    """True for a named tuple that a term makes, or that every return of the function it calls makes."""
    if not isinstance(term, Call) or frame.value(term).kind not in _OPEN:
        return False
    if is_tuple_made(term, frame):
        return True
    found = frame.evaluator.project.names.of_term(term.callee, frame.path) if depth else None
    if not isinstance(found, Function) or not found.returned:
        return False
    inner = frame.evaluator.frame(found, None)
    return all(is_named_tuple(event.value, inner, depth - 1) for event in found.returned)
