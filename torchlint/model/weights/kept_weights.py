"""Weights that are kept beside a model, for an average or as a backup, and are the model's own tensors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.factories import LIKE
from torchlint.model.events import Evaluated, Event, ItemWrite, RegionKind, Return, Write
from torchlint.model.flow.opened import opened
from torchlint.model.frames import Frame, called_names, last_name
from torchlint.model.terms import Argument, Attribute, Call, Comprehension, Element, Item, Subscript, Term, children
from torchlint.model.weights.aliases import is_private
from torchlint.model.weights.enumerated import (
    Written,
    enumeration,
    held_in,
    module_of,
    path_of,
    same_memory,
    taken_from,
    within,
    writes_into,
)
from torchlint.model.weights.steps import same_module
from torchlint.source import Span

_WEIGHTS = frozenset("parameters named_parameters state_dict".split())
_CONTAINERS = frozenset("list tuple dict OrderedDict".split())
# Functions whose result shares nothing with what they are given.
_FRESH = LIKE | {"clone", "deepcopy", "tensor"}


@dataclass(frozen=True, slots=True)
class Shadow:
    """Parameters kept without a copy. kind: "shadow", where what is kept is written into, or "backup", where the
    parameters are. span: where they are kept; written: the write. holder: what keeps them, as in "self.shadow"."""

    kind: str
    span: Span
    holder: str
    written: Span
    operation: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """holder: the container. source: the call or argument that the parameters come from. place: of the store."""

    holder: Term
    source: Term
    event: Event
    place: tuple[int, int, int, int]


def shadows(frame: Frame) -> Iterator[Shadow]:
    """The averages and backups that a function begins with the parameters themselves."""
    for kept in _kept(frame):
        found = _written_as_average(kept, frame) or _overwritten(kept, frame)
        if found is not None:
            kind, written, place = found
            yield Shadow(kind, frame.span(kept.place), path_of(kept.holder) or "the container", place, _name(written))
    yield from _written_in_one_function(frame)


def _name(written: Written) -> str:
    return f"{written.operation}()" if written.operation.endswith("_") else written.operation


def _written_in_one_function(frame: Frame) -> Iterator[Shadow]:
    """shadow = list(model.parameters()), whose elements an average over model.parameters() writes; and
    old = [p.data for ..], which comes back by copy_() into the parameters."""
    for written in writes_into(frame):
        source = _source(written.target) if written.term is not None else None
        if not isinstance(source, Call) or is_own_copy(source, frame):
            continue
        operands = [part for operand in written.operands for part in _mixed_in(operand)]
        others = [other for other in map(_source, operands) if isinstance(other, Call) and other is not source]
        other = next((one for one in others if same_module(_module(source), _module(one))), None)
        if other is not None and other.place < source.place and _is_of_this_round(other, written, frame):
            continue
        if other is not None and written.term is not None:
            kind, kept = ("backup", other) if other.place < source.place else ("shadow", source)
            place = frame.span(written.term.place)
            yield Shadow(kind, frame.span(kept.place), "the container", place, _name(written))


def _is_of_this_round(source: Call, written: Written, frame: Frame) -> bool:
    """True where the round of the loop that writes asks for the state itself: it was not kept from before the loop."""
    asked = next((one for one in frame.function.events if isinstance(one, Evaluated) and one.term is source), None)
    loops = [region for region in written.event.regions if region.kind is RegionKind.LOOP]
    return bool(loops) and asked is not None and any(region is loops[0] for region in asked.regions)


def _mixed_in(term: Term) -> Iterator[Term]:
    """A term and what it is computed from; not what a container holds, of which one element is taken."""
    if isinstance(term, Attribute) or (isinstance(term, Call) and last_name(term) in _FRESH):
        return
    yield term
    if not isinstance(term, (Element, Item, Subscript)):
        for part in children(term):
            yield from _mixed_in(part)


# What is kept


def _kept(frame: Frame) -> Iterator[_Kept]:
    homes = _homes(frame) if _may_keep(frame) else []
    for event in frame.function.events:
        for holder, value, is_whole in _stores(event, frame, homes):
            # What another method of the object returns is kept there.
            inside = value if _is_own_call(value, frame) else opened(value, frame)
            source = held_in(inside) or _given(inside) if is_whole else _source(inside)
            if source is not None and not is_own_copy(source, frame) and not _is_of_one_round(source):
                home = next((name for term, name in homes if term is holder), None)
                yield _Kept(holder if home is None else _own(home, frame, event), source, event, _place(event))


def _is_own_call(term: Term, frame: Frame) -> bool:
    callee = term.callee if isinstance(term, Call) else None
    is_own = isinstance(callee, Attribute) and frame.is_self(callee.base) and frame.view is not None
    return is_own and frame.view is not None and frame.view.method(last_name(term)) is not None


def _may_keep(frame: Frame) -> bool:
    """True where a function asks for weights itself, or returns a container of what a helper gives."""
    if not _WEIGHTS.isdisjoint(called_names(frame.function)):
        return True
    values = [event.value for event in frame.function.returned if frame.view is not None and not event.is_yield]
    made = (one for one in values if isinstance(one, Comprehension) or last_name(one) in _CONTAINERS)
    return any(opened(one, frame) is not one for one in made)


def _homes(frame: Frame) -> list[tuple[Term, str]]:
    """The local containers of a method that an attribute keeps: it is assigned here, or by a method that gets it
    returned."""
    found = [
        (event.value, event.attribute)
        for event in frame.function.events
        if isinstance(event, Write) and isinstance(event.attribute, str) and frame.is_self(event.base)
    ]
    returned = [event.value for event in frame.function.returned if not event.is_yield]
    if frame.view is None or not returned:
        return found
    for method in frame.view.methods:
        other = frame.view.frame(method)
        for event in method.events:
            call = event.value if isinstance(event, Write) and other.is_self(event.base) else None
            is_own = isinstance(call, Call) and isinstance(call.callee, Attribute) and other.is_self(call.callee.base)
            if is_own and isinstance(call, Call) and frame.view.method(last_name(call)) is frame.function.definition:
                name = event.attribute if isinstance(event, Write) else ""
                found += [(value, name) for value in returned if isinstance(name, str)]
    return found


def _own(name: str, frame: Frame, event: Event) -> Attribute:
    """self.name, as a method of the object reads it."""
    return Attribute(_place(event), Argument(_place(event), 0, frame.function.parameters[0].name), name)


def _place(event: Event) -> tuple[int, int, int, int]:
    return event.term.place if isinstance(event, Evaluated) else getattr(event, "place", (1, 1, 1, 1))


def _stores(event: Event, frame: Frame, homes: list[tuple[Term, str]]) -> Iterator[tuple[Term, Term, bool]]:
    """The containers that an event fills: the container, what goes in, and whether that is all of its contents. homes:
    of those that are returned as they are made."""
    if isinstance(event, Write) and isinstance(event.attribute, str) and frame.is_self(event.base):
        yield Attribute(event.place, event.base, event.attribute), event.value, True
    elif isinstance(event, ItemWrite) and event.operator == "=":
        yield event.base, event.value, False
    elif isinstance(event, Evaluated) and isinstance(event.term, Call) and event.term.arguments:
        callee = event.term.callee
        if isinstance(callee, Attribute) and callee.name == "append":
            yield callee.base, event.term.arguments[0], False
    elif isinstance(event, Return) and any(term is event.value for term, _ in homes):
        yield event.value, event.value, True


def _source(value: Term) -> Term | None:
    """Where one tensor comes from: an enumeration of parameters, or an argument that is one by its name."""
    found = taken_from(value)
    if isinstance(found, Argument):
        return found if "param" in found.name.lower() else None
    call = enumeration(value)
    return call if call is not None and last_name(call) in _WEIGHTS else None


def _given(value: Term) -> Term | None:
    """The argument whose elements a list or comprehension keeps."""
    if isinstance(value, Comprehension):
        return _source(value.parts[-1])
    if isinstance(value, Call) and last_name(value) in _CONTAINERS and value.arguments:
        given = value.arguments[0]
        return given if isinstance(given, Argument) and "param" in given.name.lower() else None
    return None


def _module(source: Term) -> Term | None:
    return module_of(source) if isinstance(source, Call) else source


def _is_of_one_round(source: Term) -> bool:
    """True for one of many models that a loop goes through: the next round mixes another one in."""
    module = _module(source)
    return module is not None and any(isinstance(part, Element) for part in within(module))


def is_own_copy(source: Term, frame: Frame) -> bool:
    """True where the model is a copy that the object made for itself, or that nobody else holds."""
    module = _module(source)
    if is_private(module):
        return True
    if not isinstance(module, Attribute) or not frame.is_self(module.base) or frame.view is None:
        return False
    writes = (event for method in frame.view.methods for event in method.events if isinstance(event, Write))
    return any(event.attribute == module.name and is_private(event.value) for event in writes)


# What is written


def _frames(kept: _Kept, frame: Frame) -> Iterator[Frame]:
    """Where the container is known: in the methods of the object that holds it, or in the function alone."""
    held_by_self = isinstance(kept.holder, Attribute) and frame.is_self(kept.holder.base)
    if not held_by_self or frame.view is None:
        yield frame
        return
    for method in frame.view.methods:
        yield frame if method is frame.function.definition else frame.view.frame(method)


def _is_holder(term: Term | None, kept: _Kept, frame: Frame) -> bool:
    if term is kept.holder:
        return True
    return (
        isinstance(term, Attribute)
        and isinstance(kept.holder, Attribute)
        and term.name == kept.holder.name
        and frame.is_self(term.base)
    )


def _written_as_average(kept: _Kept, frame: Frame) -> tuple[str, Written, Span] | None:
    """An in-place write into what is kept that mixes the model's current weights in: the average and the model are one
    tensor."""
    for other in _frames(kept, frame):
        for written in writes_into(other):
            is_kept = written.operation != "data" and _is_holder(taken_from(written.target), kept, other)
            if is_kept and written.term is not None and _mixes(written, kept):
                return "shadow", written, other.span(written.term.place)
    return None


def _mixes(written: Written, kept: _Kept) -> bool:
    for operand in written.operands:
        for part in within(operand):
            source = _source(part) if not isinstance(part, Attribute) else None
            if source is not None and same_module(_module(source), _module(kept.source)) and not _is_gradient(operand):
                return True
    return False


def _is_gradient(term: Term) -> bool:
    return any(isinstance(part, Attribute) and part.name == "grad" for part in within(term))


def _overwritten(kept: _Kept, frame: Frame) -> tuple[str, Written, Span] | None:
    """An in-place write into the parameters after they were kept, where what was kept is to come back later."""
    if not _comes_back(kept, frame):
        return None
    order = {id(event): number for number, event in enumerate(frame.function.events)}
    for written in writes_into(frame):
        if written.operation == "data" or written.term is None or order[id(written.event)] < order[id(kept.event)]:
            continue
        source = _source(written.target)
        if source is None or not same_module(_module(source), _module(kept.source)):
            continue
        if not any(_is_holder(taken_from(same_memory(one)), kept, frame) for one in written.operands):
            return "backup", written, frame.span(written.term.place)
    return None


def _comes_back(kept: _Kept, frame: Frame) -> bool:
    """True where some function writes what was kept into the parameters again."""
    for other in _frames(kept, frame):
        for written in writes_into(other):
            if _source(written.target) is None or written.operation not in ("data", "copy_"):
                continue
            parts = (part for operand in written.operands for part in within(operand))
            if any(_is_holder(taken_from(part), kept, other) for part in parts):
                return True
    return False
