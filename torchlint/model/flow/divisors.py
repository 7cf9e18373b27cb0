"""Values that something is divided by, in their own function or where that one is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from torchlint.knowledge.lookup import is_view
from torchlint.model.events import Event
from torchlint.model.flow.callers import calling
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import Attribute, Call, Choice, Constant, Operation, Subscript, Term

_DIVISIONS = frozenset("div div_ true_divide true_divide_ divide divide_".split())
_DIVIDES = frozenset("log log_ sqrt sqrt_ rsqrt rsqrt_ reciprocal reciprocal_ log2 log10".split())


def is_divisor(term: Term, frame: Frame, depth: int = 1) -> bool:
    """True where a value is divided by, or its logarithm or root is taken, also by those who get it from here."""
    for parent in parents_in(frame.function).get(id(term), ()):
        if _divides(parent, term, frame) or (_passes_on(parent, term) and is_divisor(parent, frame, depth)):
            return True
    if not depth or not any(event.value is term for event in frame.function.returned):
        return False
    return any(is_divisor(call, caller, depth - 1) for call, caller in _calls_in_file(frame))


def _divides(parent: Term | Event, term: Term, frame: Frame) -> bool:
    """True for a division by the term, and for what grows without end at zero: its logarithm, root or reciprocal."""
    if isinstance(parent, Operation):
        is_root = parent.operator == "**" and _is_root(parent.parts[-1])
        return parent.parts[0] is term if is_root else parent.operator in ("/", "/=") and parent.parts[-1] is term
    if isinstance(parent, Attribute):
        return parent.name in _DIVIDES or (parent.name == "pow" and _is_power_of_root(parent, frame))
    if not isinstance(parent, Call) or not any(one is term for one in parent.arguments):
        return False
    if last_name(parent) in _DIVISIONS:
        return parent.arguments[-1] is term
    if last_name(parent) == "pow":
        return parent.arguments[0] is term and _is_root(parent.arguments[-1])
    return last_name(parent) in _DIVIDES


def _is_power_of_root(attribute: Attribute, frame: Frame) -> bool:
    calls = parents_in(frame.function).get(id(attribute), ())
    return any(isinstance(call, Call) and call.arguments and _is_root(call.arguments[0]) for call in calls)


def _is_root(exponent: Term) -> bool:
    """True for an exponent that is negative or 0.5."""
    if isinstance(exponent, Operation) and exponent.operator == "-" and len(exponent.parts) == 1:
        return isinstance(exponent.parts[0], Constant)
    value = exponent.value if isinstance(exponent, Constant) else None
    return isinstance(value, (int, float)) and (value < 0 or value == 0.5)


def _passes_on(parent: Term | Event, term: Term) -> TypeGuard[Term]:
    """True where the same numbers go on in another shape, or one of two values does."""
    if isinstance(parent, Call) and isinstance(parent.callee, Attribute):
        return parent.callee is term and is_view(parent.callee.name)
    return isinstance(parent, (Subscript, Choice)) or (isinstance(parent, Attribute) and is_view(parent.name))


def _calls_in_file(frame: Frame) -> Iterator[tuple[Call, Frame]]:
    """The calls of a function in its own file, by its name or as a method of the same object."""
    function, project = frame.function, frame.evaluator.project
    if function.name in ("<module>", "<lambda>") or frame.outer is not None:
        return
    for caller in calling(project, frame.path, function.name):
        for call in caller.function.calls:
            if last_name(call) == function.name and _is_of(call, caller, frame):
                yield call, caller


def _is_of(call: Call, caller: Frame, frame: Frame) -> bool:
    if isinstance(call.callee, Attribute):
        is_own = frame.view is not None and caller.view is not None and caller.view in frame.view.ancestors
        return is_own and caller.is_self(call.callee.base)
    found = frame.evaluator.project.names.of_term(call.callee, caller.path)
    return not isinstance(found, Value) and getattr(found, "qualname", None) == frame.function.qualname
