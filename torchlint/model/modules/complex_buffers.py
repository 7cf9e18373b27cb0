"""Complex buffers and Parameters of a module and of its children: what Module.to(real dtype) makes real."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Write
from torchlint.model.frames import Frame
from torchlint.model.modules.layers import built
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Argument, Call, Element, Term
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_DEPTH = 4
_HELD = frozenset((Registration.BUFFER, Registration.PARAMETER))


def complex_state(module: Term, frame: Frame) -> str | None:
    """The dotted name of what is complex for certain in a module, or in its children, and is not spared by an _apply of
    their own; also of children that a constructor is given or a list holds."""
    found = _in_value(frame.value(module), _DEPTH)
    return found or _first(_in_built(call, where, _DEPTH) for call, where in built(module, frame))


def _first(found: Iterator[str | None]) -> str | None:
    return next((one for one in found if one is not None), None)


def _names_of(view: ModuleClass) -> Iterator[str]:
    yield from dict.fromkeys((*view.state.registrations, *view.state.names))


def _in_value(value: TensorValue, depth: int) -> str | None:
    view: ModuleClass | None = value.of
    if view is None or depth == 0 or view.method("_apply") is not None:
        return None
    for name in _names_of(view):
        held = view.state.value(name)
        how = view.state.registration(name)
        if how in _HELD and held.is_complex:
            return name
        if how is Registration.MODULE and held.kind is Kind.MODULE:
            inner = _in_value(held, depth - 1)
            if inner is not None:
                return f"{name}.{inner}"
    return None


def _in_built(call: Call, frame: Frame, depth: int) -> str | None:
    """The same for what a constructor makes, of a class of the project or of a list of modules."""
    value = frame.value(call)
    if value.kind is not Kind.MODULE or not depth:
        return None
    if value.of is None:
        parts = built(Element(call.place, call), frame)
        return _first(_in_built(part, where, depth - 1) for part, where in parts)
    view: ModuleClass = value.of
    if view.method("_apply") is not None:
        return None
    return _in_value(value, 1) or _first(_in_children(view, name, call, frame, depth) for name in _names_of(view))


def _in_children(view: ModuleClass, name: str, call: Call, frame: Frame, depth: int) -> str | None:
    """The same for the child that construction puts under one name; of several that it may be, all have to be so."""
    found: list[str | None] = []
    for moment in view.state.writes(name):
        held = moment.event.value if isinstance(moment.event, Write) else None
        where = moment.frame
        if isinstance(held, Argument) and moment.frame.function is view.method("__init__"):
            held, where = call.argument(held.index - 1, held.name), frame
        children = list(built(held, where)) if held is not None else []
        found.append(_first(_in_built(child, at, depth - 1) for child, at in children if child is not call))
    inner = found[0] if found and None not in found else None
    return f"{name}.{inner}" if inner is not None else None
