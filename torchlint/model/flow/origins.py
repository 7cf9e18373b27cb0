"""Origins: the terms that a name, an attribute or a closure's variable stands for, where they are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.events import Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, is_decorated
from torchlint.model.names.names import Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.values import Kind, strings_of

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

Origin = tuple[Term, Frame]
_DEPTH = 6


def origins(term: Term, frame: Frame, depth: int = _DEPTH) -> Iterator[Origin]:
    """The terms that `term` may stand for, each with the frame it is written in; `term` itself where nothing more is
    known of it."""
    found = list(_behind(term, frame, depth)) if depth else []
    if not found:
        yield term, frame
    for origin, where in found:
        yield from origins(origin, where, depth - 1)


def _behind(term: Term, frame: Frame, depth: int) -> Iterator[Origin]:
    if isinstance(term, Choice):
        yield from ((option, frame) for option in term.options)
    elif isinstance(term, Operation):
        yield from ((part, frame) for part in term.parts if term.operator in ("and", "or"))
    elif isinstance(term, Captured):
        yield from [(term.value, frame.outer)] if frame.outer is not None else []
    elif isinstance(term, Attribute):
        yield from _behind_attribute(term, frame)
    elif isinstance(term, Subscript):
        yield from _behind_item(term, frame, depth)
    elif isinstance(term, Item):
        yield from _parts_at(term.base, frame, term.index)
    elif isinstance(term, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(term, frame.path)
        if isinstance(found, Value):
            yield found.term, frame.evaluator.frame(found.top, None)


def _behind_attribute(term: Attribute, frame: Frame) -> Iterator[Origin]:
    """What was assigned to an attribute of an object of the project; what a property returns."""
    if term.known is not None:
        yield term.known, frame
        return
    view = owner_of(term.base, frame)
    if view is None:
        return
    method = view.method(term.name)
    if method is not None and (is_decorated(method, "property") or is_decorated(method, "cached_property")):
        inner = frame.evaluator.frame(method, view)
        yield from ((event.value, inner) for event in method.returned)
        return
    for moment in view.state.writes(term.name):
        if isinstance(moment.event, Write):
            yield moment.event.value, moment.frame
    for ancestor in view.ancestors:
        if term.name in ancestor.outline.values:
            # A field that is annotated and has no value is a name of the class as well.
            value = ancestor.facts.values.get(term.name)
            if value is not None:
                yield value, frame.evaluator.project.top_frame(ancestor.path, ancestor.outline.group)
            return


def owner_of(term: Term, frame: Frame) -> ModuleClass | None:
    """The class of the project whose object, or which itself, a term is."""
    if frame.is_self(term):
        return frame.view
    value = frame.value(term)
    is_object = value.kind in (Kind.MODULE, Kind.OBJECT) or value.made_by == "class"
    found: ModuleClass | None = value.of if is_object else None
    return found


def _behind_item(term: Subscript, frame: Frame, depth: int) -> Iterator[Origin]:
    """TABLE[name] of a written dict: the part under that key, or every part where the key is not known."""
    keys = strings_of(frame.value(term.index))
    for base, where in origins(term.base, frame, min(2, depth - 1)):
        if isinstance(base, Display) and base.kind == "dict":
            for key, part in zip(base.keys, base.parts, strict=True):
                if not keys or (isinstance(key, Constant) and key.value in keys):
                    yield part, where
        elif isinstance(base, Display) and isinstance(term.index, Constant) and isinstance(term.index.value, int):
            yield from _part(base, where, term.index.value)


def _parts_at(term: Term, frame: Frame, index: int) -> Iterator[Origin]:
    """Element `index` of an unpacked tuple, also of one that a helper returns."""
    if isinstance(term, Display):
        yield from _part(term, frame, index)
    elif isinstance(term, Choice):
        for option in term.options:
            yield from _parts_at(option, frame, index)
    elif isinstance(term, Call):
        inner = returning(term, frame)
        for event in inner.function.returned if inner is not None else ():
            if inner is not None and isinstance(event.value, Display):
                yield from _part(event.value, inner, index)


def _part(display: Display, frame: Frame, index: int) -> Iterator[Origin]:
    if -len(display.parts) <= index < len(display.parts):
        yield display.parts[index], frame


def returning(call: Call, frame: Frame) -> Frame | None:
    """The function of the project that a call enters, with what it is given."""
    evaluator, callee = frame.evaluator, call.callee
    if isinstance(callee, Attribute):
        view = owner_of(callee.base, frame)
        method = view.method(callee.name) if view is not None else None
        if method is not None:
            return evaluator.bound_frame(method, view, call, frame, receiver=callee.base)
    target = frame.value(callee).of
    if isinstance(target, BoundClosure):
        return evaluator.nested_frame(target.function, target.frame)
    return evaluator.entered(target, call, frame) if isinstance(target, Function) else None


def by_default(term: Term, frame: Frame) -> Origin:
    """What a parameter is where nobody gives another; any other term as it is."""
    default = (
        default_of(term, frame.function) if isinstance(term, Argument) and term.index not in frame.arguments else None
    )
    project = frame.evaluator.project
    return (
        (default, frame.evaluator.frame(project.top_of(frame.method), None)) if default is not None else (term, frame)
    )


def default_of(argument: Argument, function: Function) -> Term | None:
    """The default of a parameter, as it is written."""
    is_own = argument.index < len(function.parameters)
    return function.parameters[argument.index].default if is_own else None
