"""Functions that are called by another name than their own: kept on an attribute, in a table, or in a registry that
decorators fill."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.callers import callers_of
from torchlint.model.events import Evaluated, ItemWrite
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.names import Value
from torchlint.model.origins import Origin, origins
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Subscript,
    Term,
)

_MAX_HELD = 16


def held_functions(callee: Term, frame: Frame) -> list[Function]:
    """The functions of the project that a callee may be, where it is no name of one; none where they are too many."""
    if isinstance(callee, (Global, Imported)):
        return []
    found = [function for term, where in _held(callee, frame) for function in _functions(term, where)]
    return found if len(found) <= _MAX_HELD else []


def _held(callee: Term, frame: Frame) -> Iterator[Origin]:
    """The terms that a callee stands for: values of a table that it is taken out of, defaults of parameters."""
    if isinstance(callee, Captured) and frame.outer is not None:
        yield from _held(callee.value, frame.outer)
        return
    table = _table(callee)
    if table is not None:
        for term, where in origins(table, frame):
            if isinstance(term, Display):
                yield from ((part, where) for part in term.parts)
        yield from _registered(table, frame)
    for term, where in origins(callee, frame):
        if isinstance(term, Argument) and term.index < len(where.function.parameters):
            default = where.function.parameters[term.index].default
            if default is not None:
                yield default, where
        elif term is not callee:
            yield term, where


def _table(callee: Term) -> Term | None:
    """The table of table.get(name), of `for act in table.values()` and of `for name, act in table.items()`."""
    if isinstance(callee, Call) and isinstance(callee.callee, Attribute) and callee.callee.name == "get":
        return callee.callee.base
    if isinstance(callee, Item) and callee.index == 1:
        return _listed(callee.base, "items")
    if isinstance(callee, Element) and not isinstance(callee.iterable, Call):
        return callee.iterable
    found = _listed(callee, "values")
    return found if found is not None else getattr(callee, "base", None)


def _listed(term: Term, method: str) -> Term | None:
    call = term.iterable if isinstance(term, Element) else None
    is_listing = isinstance(call, Call) and isinstance(call.callee, Attribute) and call.callee.name == method
    return call.callee.base if is_listing else None  # type: ignore[union-attr]


def _registered(table: Term, frame: Frame) -> Iterator[Origin]:
    """The functions whose decorators put them into a table of their file."""
    if not isinstance(table, (Global, Imported)):
        return
    project = frame.evaluator.project
    found = project.names.of_term(table, frame.path)
    if not isinstance(found, Value) or not isinstance(found.term, Display):
        return
    name = last_name(table)
    for one in project.functions_in(found.path):
        for decorator in one.function.decorators:
            callee = decorator.callee if isinstance(decorator, Call) else decorator
            maker = project.names.of_term(callee, one.path)
            if isinstance(maker, Function) and _fills(maker, name):
                yield Global(one.function.place, one.function.qualname), one


def _fills(function: Function, table: str) -> bool:
    own = any(
        isinstance(event, ItemWrite) and isinstance(event.base, Global) and event.base.name == table
        for event in function.events
    )
    return own or any(_fills(nested, table) for nested in function.nested)


def _functions(term: Term, where: Frame) -> Iterator[Function]:
    value = where.value(term)
    if isinstance(value.of, Function):
        yield value.of


def calls_by_any_name(frame: Frame) -> Iterator[Moment]:
    """The calls that run a function: by its name, and those of its file that know it by another one."""
    yield from callers_of(frame)
    function = frame.function
    if function.owner is not None or frame.outer is not None or function.name == "<module>":
        return
    for one in frame.evaluator.project.functions_in(frame.path):
        for event in one.function.events:
            call = event.term if isinstance(event, Evaluated) else None
            if isinstance(call, Call) and _may_hold(call.callee, one) and function in held_functions(call.callee, one):
                yield Moment(event, one)


def _may_hold(callee: Term, frame: Frame) -> bool:
    """True for what is looked up, and for an attribute of the object that is no method."""
    if not isinstance(callee, Attribute):
        return isinstance(callee, (Subscript, Item, Element, Call))
    return frame.view is not None and frame.is_self(callee.base) and frame.view.method(callee.name) is None
