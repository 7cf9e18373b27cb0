"""Functions that are called by another name than their own: kept on an attribute, in a table, or in a registry that
decorators fill."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated, ItemWrite, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of, constructions
from torchlint.model.flow.origins import Origin, origins
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.names.names import Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Subscript,
    Term,
    children,
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
            yield from _given_at_construction(term, where)
        elif term is not callee:
            yield term, where


def _given_at_construction(term: Argument, frame: Frame) -> Iterator[Origin]:
    """What the makers of an object pass for a parameter of its constructor."""
    view = frame.view
    if view is None or frame.function.name != "__init__" or frame.is_self(term):
        return
    for call, caller in constructions(view):
        given = call.argument(term.index - 1, term.name)
        if given is not None:
            yield given, caller


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
    if isinstance(term, Choice):
        for option in term.options:
            yield from _functions(option, where)
        return
    while isinstance(term, Call) and last_name(term) == "partial" and len(term.arguments) == 1:
        term = term.arguments[0]
    value = where.value(term)
    if isinstance(value.of, Function):
        yield value.of


def calls_by_any_name(frame: Frame) -> Iterator[Moment]:
    """The calls that run a function: by its name, and those of its file that know it by another one."""
    yield from callers_of(frame)
    function = frame.function
    if function.owner is not None or frame.outer is not None or function.name == "<module>":
        return
    if not function.decorators and function.name not in _handed_around(frame):
        return
    for one in frame.evaluator.project.functions_in(frame.path):
        for event in one.function.events:
            call = event.term if isinstance(event, Evaluated) else None
            if isinstance(call, Call) and _may_hold(call.callee, one) and function in held_functions(call.callee, one):
                yield Moment(event, one)


def _handed_around(frame: Frame) -> frozenset[str]:
    """The names of a file that stand where nothing is called: values of classes and tables, defaults, arguments."""
    project = frame.evaluator.project
    top = project.top_of(frame.method)
    known: frozenset[str] | None = top.derived.get("handed around")
    if known is None:
        facts = project.whole_facts(frame.path) if project.was_passed(frame.path) else None
        classes = facts.classes.values() if facts is not None else ()
        terms = [term for one in classes for term in one.values.values()]
        terms += [term for term in (facts.names.values() if facts is not None else ()) if not isinstance(term, Global)]
        frames = list(project.functions_in(frame.path))
        terms += [one.default for each in frames for one in each.function.parameters if one.default is not None]
        terms += [value for each in (top, *(one.function for one in frames)) for value in _values_of(each)]
        known = top.derived["handed around"] = frozenset(name for term in terms for name in _names_in(term))
    return known


def _values_of(function: Function) -> Iterator[Term]:
    """What a function writes somewhere or passes on."""
    for event in function.events:
        if isinstance(event, (Write, ItemWrite, Return)):
            yield event.value
        elif isinstance(event, Evaluated):
            yield from event.term.inputs if isinstance(event.term, Call) else (event.term,)


def _names_in(term: Term, depth: int = 3) -> Iterator[str]:
    if isinstance(term, Global):
        yield term.name
    elif depth:
        parts = term.inputs if isinstance(term, Call) else children(term)
        for part in parts:
            yield from _names_in(part, depth - 1)


def _may_hold(callee: Term, frame: Frame) -> bool:
    """True for what is looked up, and for an attribute of the object that is no method, or one by another name."""
    if not isinstance(callee, Attribute):
        return isinstance(callee, (Subscript, Item, Element, Call))
    if frame.view is None or not frame.is_self(callee.base):
        return False
    method = frame.view.method(callee.name)
    return method is None or method.name != callee.name
