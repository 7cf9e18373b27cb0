"""Where autograd records nothing: contexts, decorators and statements that switch gradients off, or may do so."""

from __future__ import annotations

import re

from torchlint.knowledge.graphs import AUTOGRAD_FUNCTIONS
from torchlint.model.events import Evaluated, RegionKind, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.regions import grad_is_off
from torchlint.model.frames import Frame, Moment, called_names, is_decorated, last_name
from torchlint.model.gradients.requests import entered_by
from torchlint.model.names.names import Value
from torchlint.model.terms import Attribute, Call, Choice, Constant, Term, children

_GRAD_OFF = frozenset(("no_grad", "inference_mode", "set_grad_enabled"))
_SPEAKS_OF_GRAD = re.compile(r".*(grad|inference|frozen|freeze|eval).*", re.IGNORECASE)


def records_nothing(moment: Moment) -> bool:
    """True where gradients are off at a call, or where a context or a test that we do not understand may say so."""
    if grad_is_off(moment, moment.frame.evaluator):
        return True
    if any(_may_turn_off(region.subject, frame) for region, frame in moment.managers()):
        return True
    if any(_is_decorated_off(f) or _is_of_function(f) or _is_off_since_built(f) for f in moment.functions()):
        return True
    one: Moment | None = moment
    while one is not None:
        if _is_switched_off(one):
            return True
        one = one.caller
    return False


def _is_of_function(frame: Frame) -> bool:
    """True for the methods of an autograd.Function: autograd runs them, and records nothing inside."""
    is_static = frame.method.name in ("forward", "backward") and is_decorated(frame.method, "staticmethod")
    return is_static and frame.view is not None and not AUTOGRAD_FUNCTIONS.isdisjoint(frame.view.foreign_bases)


def _is_off_since_built(frame: Frame) -> bool:
    """True for the methods of an object whose constructor switches gradients off for the whole program."""
    init = frame.view.method("__init__") if frame.view is not None else None
    return init is not None and "set_grad_enabled" in called_names(init) and switches_off(init)


def _may_turn_off(term: Term, frame: Frame, depth: int = 6) -> bool:
    """True for a choice with no_grad() in it, a helper that returns or opens one, and a name that speaks of it."""
    if _SPEAKS_OF_GRAD.fullmatch(last_name(term)):
        return last_name(term) != "enable_grad"
    if depth <= 0:
        return False
    if isinstance(term, Choice):
        return any(_may_turn_off(option, frame, depth - 1) for option in term.options)
    inner = entered_by(term, frame) if isinstance(term, Call) else None
    if inner is not None:
        opened = [r.subject for event in inner.function.events for r in event.regions if r.kind is RegionKind.WITH]
        returned = [event.value for event in inner.function.events if isinstance(event, Return)]
        return any(_may_turn_off(one, inner, depth - 2) for one in (*opened, *returned))
    if isinstance(term, Call) and _is_entered_off(term, frame):
        return True
    if isinstance(term, Attribute) and frame.view is not None and frame.is_self(term.base):
        writes = frame.view.state.writes(term.name)
        return any(_may_turn_off(m.event.value, m.frame, depth - 2) for m in writes if isinstance(m.event, Write))
    return any(_may_turn_off(part, frame, depth - 1) for part in children(term))


def _is_entered_off(call: Call, frame: Frame) -> bool:
    """True for an object of the project whose __enter__() calls what speaks of gradients."""
    view = frame.value(call.callee).of
    enter = view.method("__enter__") if hasattr(view, "ancestors") else None
    return enter is not None and any("grad" in name or "inference" in name for name in called_names(enter))


def _is_decorated_off(frame: Frame) -> bool:
    """True where a decorator of the function, or of the method around it, may switch gradients off."""
    decorators = dict.fromkeys((*frame.function.decorators, *frame.method.decorators))
    return any(_may_turn_off(one, frame) or _wraps_in_off(one, frame) for one in decorators)


def _wraps_in_off(decorator: Term, frame: Frame) -> bool:
    """True for a decorator of the project in whose text gradients are switched off: around the call of the inner
    function, on it, or in the __call__() of a class."""
    callee = decorator.callee if isinstance(decorator, Call) else decorator
    found = frame.evaluator.project.names.of_term(callee, frame.path)
    if isinstance(found, Value):
        return _may_turn_off(found.term, frame)
    if isinstance(found, Function):
        return _speaks_of_off(found)
    return any(_speaks_of_off(method) for method in getattr(found, "methods", ()))


def _speaks_of_off(function: Function) -> bool:
    """True where a function, or one nested in it, calls no_grad() or its like, or is decorated with it."""
    known: bool | None = function.derived.get("speaks of no_grad")
    if known is None:
        own = (*function.calls, *function.decorators)
        known = any(last_name(one) in _GRAD_OFF for one in own) or any(map(_speaks_of_off, function.nested))
        function.derived["speaks of no_grad"] = known
    return known


def _is_switched_off(moment: Moment) -> bool:
    """True where a statement before the call has switched gradients off: torch.set_grad_enabled(False), or the entering
    of a context."""
    off = False
    for event in moment.frame.function.events:
        if event is moment.event:
            return off
        term = event.term if isinstance(event, Evaluated) else None
        if not isinstance(term, Call):
            continue
        if last_name(term) == "set_grad_enabled" and term.arguments:
            off = moment.frame.value(term.arguments[0]).constant is not True
        elif last_name(term) in ("enter_context", "__enter__"):
            off = off or any(_may_turn_off(part, moment.frame) for part in children(term))
    return off


def is_off_in_file(frame: Frame) -> bool:
    """True where the file itself switches gradients off when it is loaded."""
    top = frame.evaluator.project.top_of(frame.method)
    known: bool | None = top.derived.get("gradients are off")
    if known is None:
        known = top.derived["gradients are off"] = switches_off(top)
    return known


def switches_off(top: Function) -> bool:
    """True for set_grad_enabled(False) in the top level of a file, or in a constructor."""
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and last_name(event.term) == "set_grad_enabled"
        and bool(event.term.arguments)
        and isinstance(event.term.arguments[0], Constant)
        and event.term.arguments[0].value is False
        for event in top.events
    )
