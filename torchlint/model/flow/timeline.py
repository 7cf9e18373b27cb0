"""Timeline: everything that happens when a method runs, reads included, in the order in which it happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment
from torchlint.model.terms import Attribute, Call, Subscript, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_DEPTH = 8
# How often a function is entered: a helper that many methods share would multiply what is looked at.
_MAX_VISITS = 3


def timeline(module: ModuleClass, frame: Frame) -> tuple[Moment, ...]:
    """Every event of a method, and of the functions that it runs on the same object, calls in their places."""
    return tuple(_happening(module, frame, None, {}))


def _happening(module: ModuleClass, frame: Frame, caller: Moment | None, visits: dict[int, int]) -> Iterator[Moment]:
    visits[id(frame.function)] = visits.get(id(frame.function), 0) + 1
    callers = (frame, *(caller.functions() if caller else ()))
    for event in frame.function.events:
        moment = Moment(event, frame, caller)
        if isinstance(event, Evaluated) and isinstance(event.term, Call) and len(callers) <= _MAX_DEPTH:
            for callee in (*module.callees(event.term, frame), *_helpers(event.term, frame)):
                inside = any(one.function is callee.function for one in callers)
                if not inside and visits.get(id(callee.function), 0) < _MAX_VISITS:
                    yield from _happening(module, callee, moment, visits)
        yield moment


def _helpers(call: Call, frame: Frame) -> Iterator[Frame]:
    """The function of the project that gets attributes of the object, and not the object itself."""
    if isinstance(call.callee, Attribute) or any(map(frame.is_self, call.inputs)):
        return
    evaluator = frame.evaluator
    if any(attribute_of_self(term, frame) for term in call.inputs):
        found = evaluator.project.names.of_term(call.callee, frame.path)
        if isinstance(found, Function):
            yield evaluator.bound_frame(found, None, call, frame, receiver=None)


def attribute_of_self(term: Term, frame: Frame) -> str:
    """The attribute that self.name, self.name.data, self.name[..] or self.name.T speaks of; "" for any other term."""
    while isinstance(term, Subscript) or (isinstance(term, Attribute) and term.name in ("data", "T", "mT")):
        term = term.base
    return term.name if isinstance(term, Attribute) and frame.is_self(term.base) else ""


def changed_in_place(call: Call) -> Term | None:
    """The tensor that a method with a trailing underscore writes into: x of x.add_(y); None for any other call."""
    callee = call.callee
    if not isinstance(callee, Attribute) or not callee.name.endswith("_") or callee.name.endswith("__"):
        return None
    return None if callee.name in ("requires_grad_", "share_memory_", "detach_") else callee.base
