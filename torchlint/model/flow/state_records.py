"""Objects of the project that keep what they are given: records (dataclasses and their like), and methods that store an
argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.evaluation.record_fields import fields_of, fields_of_tuple
from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import Argument, Attribute, Call, Choice, Constant, Display, Operation, Starred, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_NAMESPACES = frozenset("SimpleNamespace Namespace".split())
_WRAPS = frozenset("dict OrderedDict copy list tuple".split())
_PUTS = frozenset("append insert add appendleft".split())
_DEPTH = 4


def fields_given(call: Call, term: Term, frame: Frame) -> frozenset[str]:
    """The attributes by which the record that a call makes keeps `term`, one of its arguments; empty for no record."""
    names = [name for name, given in call.keywords if given is term and name]
    if last_name(call) in _NAMESPACES:
        return frozenset(names)
    found = frame.value(call.callee).of if not isinstance(call.callee, Attribute) else None
    if found is not None and hasattr(found, "ancestors"):
        return _fields_of_class(found, call, term)
    made = frame.evaluator.project.names.of_term(call.callee, frame.path)
    return _named(fields_of_tuple(made.term), call, term) if isinstance(made, Value) else frozenset()


def _named(fields: tuple[str, ...], call: Call, term: Term) -> frozenset[str]:
    """Those of the fields of a record that a call gives `term` to."""
    given = (
        *zip(fields, call.arguments, strict=False),
        *((name, one) for name, one in call.keywords if name in fields),
    )
    return frozenset(name for name, one in given if one is term and name)


def _fields_of_class(view: ModuleClass, call: Call, term: Term) -> frozenset[str]:
    if view.is_module:
        return frozenset()
    init = view.method("__init__")
    if init is None:
        return _named(fields_of(view), call, term)
    index = _parameter(call, term, init, 1)
    return frozenset(name for name, _ in _stores_of(init, index)) if index is not None else frozenset()


def keeping_method(call: Call, term: Term, frame: Frame) -> tuple[frozenset[str], bool] | None:
    """The attributes on which a method of an object of the project keeps `term`, one of its arguments, and whether it
    keeps what earlier calls gave as well; None where it keeps nothing."""
    callee = call.callee
    if not isinstance(callee, Attribute) or frame.is_self(callee.base):
        return None
    view = frame.value(callee.base).of
    is_plain = view is not None and hasattr(view, "ancestors") and not view.is_module
    method = view.method(callee.name) if view is not None and is_plain else None
    index = _parameter(call, term, method, 1) if method is not None else None
    stores = list(_stores_of(method, index)) if method is not None and index is not None else []
    return (frozenset(name for name, _ in stores), any(many for _, many in stores)) if stores else None


def _parameter(call: Call, term: Term, function: Function, offset: int) -> int | None:
    """The parameter that an argument is given for."""
    for position, given in enumerate(call.arguments):
        if isinstance(given, Starred):
            return None
        if given is term:
            return position + offset
    names = {parameter.name: index for index, parameter in enumerate(function.parameters)}
    return next((names[name] for name, given in call.keywords if given is term and name in names), None)


def _stores_of(method: Function, index: int) -> Iterator[tuple[str, bool]]:
    """The attributes of the object on which a method keeps a parameter; with True where others stay beside it, or where
    a condition decides."""
    for event in method.events:
        holder, value, is_added = _store(event)
        if holder is not None and _is_of_self(holder) and any(_holds(one, index, _DEPTH) for one in value):
            yield holder.name, is_added or bool(event.guards())


def _store(event: Event) -> tuple[Attribute | None, tuple[Term, ...], bool]:
    """The attribute that an event fills, with what, and whether that is added to what is there."""
    if isinstance(event, Write) and isinstance(event.attribute, str):
        return Attribute(event.place, event.base, event.attribute), (event.value,), False
    if isinstance(event, ItemWrite) and isinstance(event.base, Attribute):
        return event.base, (event.value,), not isinstance(event.index, Constant)
    call = event.term if isinstance(event, Evaluated) else None
    callee = call.callee if isinstance(call, Call) else None
    if isinstance(call, Call) and isinstance(callee, Attribute) and callee.name in _PUTS:
        return (callee.base, call.arguments, True) if isinstance(callee.base, Attribute) else (None, (), False)
    return None, (), False


def _is_of_self(attribute: Attribute) -> bool:
    return isinstance(attribute.base, Argument) and attribute.base.index == 0


def _holds(term: Term, index: int, depth: int) -> bool:
    """True for the parameter itself, and for a container of it with the same tensors."""
    if isinstance(term, Argument):
        return term.index == index
    parts: tuple[Term, ...] = ()
    if isinstance(term, (Display, Operation)):
        is_same = isinstance(term, Display) or term.operator in ("and", "or", "grown")
        parts = term.parts if is_same else ()
    elif isinstance(term, Choice):
        parts = term.options
    elif isinstance(term, Call) and last_name(term) in _WRAPS:
        parts = term.arguments
    return depth > 0 and any(_holds(part, index, depth - 1) for part in parts)
