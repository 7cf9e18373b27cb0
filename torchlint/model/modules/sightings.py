"""Sightings: where something happens to an attribute, and under which conditions, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import MODULE_MEMBERS
from torchlint.model.events import Delete, Evaluated, ItemWrite, Write
from torchlint.model.frames import Frame, Moment, SelfUse, self_use
from torchlint.model.modules.refresh import deciding_attributes, runs_in_mode
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


@dataclass(frozen=True, slots=True)
class Sighting:
    """One place where something happens.

    method: the qualified name of the method (or helper function) around, "" for the body of a class.
    decided_by: the attributes of the object whose test decides on it. in_mode: True where it happens only in training,
    False where only in evaluation, None where that does not matter or is not known.
    """

    method: str
    span: Span
    decided_by: tuple[str, ...] = ()
    in_mode: bool | None = None


def sightings(moments: Iterable[Moment]) -> tuple[Sighting, ...]:
    """The moments as sightings, each once, in order; `decided_by` is left empty."""
    return tuple(dict.fromkeys(_sighting(moment) for moment in moments))


def guarded_sightings(moments: Iterable[Moment]) -> tuple[Sighting, ...]:
    """The same with the attributes that decide on each, without those of every module."""
    found = (
        replace(_sighting(moment), decided_by=tuple(sorted(deciding_attributes(moment) - MODULE_MEMBERS)))
        for moment in moments
    )
    return tuple(dict.fromkeys(found))


def _sighting(moment: Moment) -> Sighting:
    return Sighting(moment.frame.method.qualname, span_of(moment), in_mode=runs_in_mode(moment))


def span_of(moment: Moment) -> Span:
    """The place of a moment's event."""
    event = moment.event
    if isinstance(event, Evaluated):
        return moment.frame.span(event.term.place)
    assert isinstance(event, (Write, ItemWrite, Delete))
    return moment.frame.span(event.place)


def every_moment(view: ModuleClass) -> Iterator[Moment]:
    """What happens to the object in all its methods: construction as it is walked, then each other method by itself."""
    yield from view.construction
    for function in view.methods:
        if id(function) not in view.construction_functions:
            yield from _moments_in(view.frame(function), self_use(function))


def _moments_in(frame: Frame, use: SelfUse) -> Iterator[Moment]:
    yield from (Moment(event, frame) for event in use.steps)
    for nested, inner in use.inner:
        yield from _moments_in(frame.evaluator.nested_frame(nested, frame), inner)


def is_in_construction(moment: Moment, view: ModuleClass) -> bool:
    """True where construction runs the function around."""
    return id(moment.frame.function) in view.construction_functions
