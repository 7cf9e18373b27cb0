"""Tensors whose gradient the program asks for by a statement: x.requires_grad = True, self.x.requires_grad_()."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Choice, Constant, Operation, Term

_REDUCES = frozenset(("sum", "mean"))
_LEAVES = frozenset("requires_grad_ Parameter Variable parameters named_parameters list next getattr".split())
_REACH = 6


def is_asked_for(term: Term, frame: Frame) -> bool:
    """True for a tensor that the function, or of the object's own ones any method, makes a leaf by a statement."""
    if id(term) in _asked(frame.function)[0]:
        return True
    if not isinstance(term, Attribute) or frame.view is None or not frame.is_self(term.base):
        return False
    return any(term.name in _asked(method)[1] for method in frame.view.methods)


def asks(call: Call) -> bool:
    """False for x.requires_grad_(False)."""
    given = call.argument(0, "requires_grad")
    return not (isinstance(given, Constant) and given.value is False)


def makes_leaf(call: Call) -> bool:
    """True for a call whose result autograd records wherever it stands: a Parameter, requires_grad=True, and whatever
    hands on leaves."""
    return call.keyword("requires_grad") is not None or last_name(call) in _LEAVES


def _asked(function: Function) -> tuple[frozenset[int], frozenset[str]]:
    """What a function makes leaves of: by the identity of terms, and by the names of attributes."""
    known: tuple[frozenset[int], frozenset[str]] | None = function.derived.get("asked leaves")
    if known is None:
        bases = [base for event in function.events for base in _asked_by(event, function)]
        names = frozenset(base.name for base in bases if isinstance(base, Attribute))
        known = function.derived["asked leaves"] = frozenset(map(id, bases)), names
    return known


def _asked_by(event: Event, function: Function) -> Iterator[Term]:
    if isinstance(event, Write):
        if event.attribute == "requires_grad" and isinstance(event.value, Constant) and event.value.value is True:
            yield event.base
        return
    call = event.term if isinstance(event, Evaluated) else None
    callee = call.callee if isinstance(call, Call) and asks(call) else None
    if not isinstance(callee, Attribute) or callee.name != "requires_grad_":
        return
    # Of x.detach().requires_grad_() the result is a leaf, and what was detached is none.
    if len(parents_in(function).get(id(callee.base), ())) > 1 or isinstance(callee.base, Attribute):
        yield callee.base


def is_silenced(made: Term, function: Function, depth: int = _REACH, *, is_reduced: bool = False) -> bool:
    """True for a tensor whose sum or mean is asked for a gradient: (w * torch.tensor(losses)).sum().requires_grad_().
    A single number that was computed is no leaf that anybody trains; without the words backward() would have raised."""
    for parent in parents_in(function).get(id(made), ()) if depth else ():
        if isinstance(parent, Attribute):
            calls = [one for one in parents_in(function).get(id(parent), ()) if isinstance(one, Call)]
            if parent.name == "requires_grad_" and is_reduced and any(map(asks, calls)):
                return True
            is_reduced_now = is_reduced or parent.name in _REDUCES
            if any(is_silenced(one, function, depth - 1, is_reduced=is_reduced_now) for one in calls):
                return True
        elif isinstance(parent, (Choice, Operation)) and is_silenced(
            parent, function, depth - 1, is_reduced=is_reduced
        ):
            return True
    return False
