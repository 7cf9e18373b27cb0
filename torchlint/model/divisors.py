"""Values that something is divided by, in their own function or where that one is called."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.callers import calling
from torchlint.model.frames import Frame, last_name
from torchlint.model.names import Value
from torchlint.model.terms import Attribute, Call, Operation, Subscript, Term
from torchlint.model.uses import parents_in

_DIVIDES = frozenset("log sqrt rsqrt reciprocal log2 log10 div true_divide".split())


def is_divisor(term: Term, frame: Frame, depth: int = 1) -> bool:
    """True where a value is divided by, or its logarithm or root is taken, also by those who get it from here."""
    for parent in parents_in(frame.function).get(id(term), ()):
        if isinstance(parent, Operation) and parent.operator in ("/", "/=") and parent.parts[-1] is term:
            return True
        if isinstance(parent, Attribute) and parent.name in _DIVIDES - {"div", "true_divide"}:
            return True
        if isinstance(parent, Call) and last_name(parent) in _DIVIDES and any(one is term for one in parent.arguments):
            return True
        if isinstance(parent, Subscript) and is_divisor(parent, frame, depth):
            return True
    if not depth or not any(event.value is term for event in frame.function.returned):
        return False
    return any(is_divisor(call, caller, depth - 1) for call, caller in _calls_in_file(frame))


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
