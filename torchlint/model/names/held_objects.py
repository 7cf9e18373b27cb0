"""Methods with the objects of the project that theirs was made with, where the constructor does not say what they are:
`self.peaks = peaks` beside `class Peaks`, or beside `Head(Peaks())`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import constructed_in
from torchlint.model.frames import Frame, has_self
from torchlint.model.names.objects_named import CALL, an_object, classes_behind, has_all, objects_behind, objects_named
from torchlint.model.terms import Argument, Attribute, Call, Choice, Operation, Subscript, Term
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MAX_OBJECTS = 6
_MAX_FRAMES = 8
_OPEN = frozenset((Kind.UNKNOWN, Kind.OBJECT, Kind.MODULE))


def with_held_objects(frame: Frame) -> tuple[Frame, ...]:
    """A method, once for each object that one of its attributes may hold."""
    if frame.view is None or frame.outer is not None or not has_self(frame.function):
        return ()
    return frame.once("with held objects", lambda: islice(_held_in_turn(frame), _MAX_FRAMES))


def _held_in_turn(frame: Frame) -> Iterator[Frame]:
    view = frame.view
    for name, asked in _asked_of_attributes(frame.function).items():
        kept = _kept(name, view) if view is not None else None
        if view is not None and kept is not None:
            yield from (_holding(frame, name, value) for value in _objects(name, asked, kept, view))


def _asked_of_attributes(function: Function) -> dict[str, frozenset[str]]:
    """What a method asks of each attribute of its object: its methods, "__call__"; worked out once."""
    known: dict[str, frozenset[str]] | None = function.derived.get("asked of attributes")
    if known is None:
        found: dict[str, set[str]] = {}
        for call in function.calls:
            own = _own(call.callee)
            held = _own(call.callee.base) if isinstance(call.callee, Attribute) else None
            if held is not None and isinstance(call.callee, Attribute):
                found.setdefault(held, set()).add(call.callee.name)
            elif own is not None and call.inputs:
                found.setdefault(own, set()).add(CALL)
        known = {name: frozenset(names) for name, names in found.items()}
        function.derived["asked of attributes"] = known
    return known


def _own(term: Term) -> str | None:
    """The name of an attribute of the object."""
    is_own = isinstance(term, Attribute) and isinstance(term.base, Argument) and term.base.index == 0
    return term.name if is_own else None  # type: ignore[attr-defined]


def _kept(name: str, view: ModuleClass) -> Write | None:
    """The one assignment by which the constructor keeps what it was given, where nothing is said about that, or makes
    an object of a class from a table."""
    if view.method(name) is not None or name not in view.state.names or view.state.value(name).kind not in _OPEN:
        return None
    writes = view.state.writes(name)
    event = writes[0].event if len(writes) == 1 and writes[0].frame.function.name == "__init__" else None
    if not isinstance(event, Write) or writes[0].frame.arguments:
        return None
    given = _given_for(event.value)
    if given is None:
        return event if isinstance(event.value, Call) and isinstance(event.value.callee, Subscript) else None
    parameter = writes[0].frame.function.parameters[given.index]
    return event if given.index and parameter.annotation is None and not parameter.kind else None


def _given_for(value: Term) -> Argument | None:
    """The parameter in `task`, `task or Default()` and `task()`."""
    if isinstance(value, Call):
        value = value.callee
    parts = value.options if isinstance(value, Choice) else value.parts if isinstance(value, Operation) else (value,)
    return next((part for part in parts if isinstance(part, Argument)), None)


def _objects(name: str, asked: frozenset[str], kept: Write, view: ModuleClass) -> tuple[TensorValue, ...]:
    """What may stand on the attribute: what the makers of such objects in the file give, and what the constructor puts
    there instead; else what the name tells."""
    init = view.method("__init__")
    if init is None:
        return ()
    frame, parameter = view.frame(init), _given_for(kept.value)
    given = frame.once(f"given for {name}", lambda: _given(kept.value, parameter, view, frame))
    found = [one for one in given if has_all(one.of, asked)]
    if not found and parameter is not None:
        found = list(objects_named(parameter.name, asked, frame))
    return tuple(found[:_MAX_OBJECTS])


def _given(kept: Term, parameter: Argument | None, view: ModuleClass, init: Frame) -> Iterator[TensorValue]:
    seen: list[object] = []
    by_makers = _given_by_makers(kept, parameter, view) if parameter is not None else ()
    for value in chain(objects_behind(kept, init), by_makers):
        if value.of not in seen:
            seen.append(value.of)
            yield value


def _given_by_makers(kept: Term, parameter: Argument, view: ModuleClass) -> Iterator[TensorValue]:
    files = view.project.looked_into(view.path, (view.path,))
    for call, caller in (made for file in files for made in constructed_in(view, file)):
        term = call.argument(parameter.index - 1, parameter.name)
        if term is not None and isinstance(kept, Call):
            yield from (an_object(one, caller) for one in classes_behind(term, caller))
        elif term is not None:
            yield from objects_behind(term, caller)


def _holding(frame: Frame, name: str, value: TensorValue) -> Frame:
    """The method, as its object holds the other one under that name."""
    terms = (event.term for event in frame.function.events if isinstance(event, Evaluated))
    held = {id(term): value for term in terms if _own(term) == name}
    return Frame(frame.evaluator, frame.function, frame.view, {}, depth=frame.depth, memo=dict(held))
