"""Conversions of modules whose caches eval() has filled already: the order of two calls on one object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.caches.caches import StaleCache, stale_caches
from torchlint.model.events import Write
from torchlint.model.flow.same_object import Step, behind, is_exclusive, steps_of
from torchlint.model.frames import Frame
from torchlint.model.modules.refresh import Refresh, runs_in_mode
from torchlint.model.modules.sightings import span_of
from torchlint.model.modules.state import Registration
from torchlint.model.terms import Attribute, Call, Term
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.values import TensorValue

_DEPTH = 4


@dataclass(frozen=True, slots=True)
class LateConversion:
    """A conversion that comes after eval(). switched: the eval() call. owner, attribute: the cache that it leaves
    behind, and the class that holds it; stored: where eval() fills it."""

    span: Span
    switched: Span
    conversion: str
    owner: str
    attribute: str
    stored: Span


def late_conversions(frame: Frame) -> Iterator[LateConversion]:
    """The conversions of a function that find a cache filled, one for each line."""
    evaluated: list[Step] = []
    for step in steps_of(frame):
        if step.kind == "eval":
            evaluated.append(step)
        elif step.kind == "train":
            evaluated = [before for before in evaluated if not before.keys & step.keys]
        else:
            yield from _judged(step, evaluated, frame)


def _judged(step: Step, evaluated: list[Step], frame: Frame) -> Iterator[LateConversion]:
    before = next((one for one in evaluated if _comes_before(one, step)), None)
    if before is None or _is_filled_anew(step, frame):
        return
    callee = step.call.callee
    for term in _receivers(step):
        found = next(_caches_in(term, frame, _DEPTH), None)
        if found is not None:
            name = callee.name if isinstance(callee, Attribute) else getattr(callee, "name", "")
            owner, cache = found
            place, switched = frame.span(step.call.place), frame.span(before.call.place)
            yield LateConversion(place, switched, name.rpartition(".")[2], owner, cache.attribute, cache.store)
            return


def _comes_before(evaluated: Step, conversion: Step) -> bool:
    """True where the two are about one object, may happen in one run, and are not both inside one helper."""
    if evaluated.call is conversion.call or not evaluated.keys & conversion.keys:
        return False
    return not is_exclusive(evaluated.event, conversion.event)


def _is_filled_anew(conversion: Step, frame: Frame) -> bool:
    """True where the same object enters evaluation mode once more after the conversion, wherever that runs."""
    steps = steps_of(frame)
    place = next(position for position, one in enumerate(steps) if one is conversion)
    around = {id(region) for region in conversion.event.guards()}
    return any(
        one.kind == "eval" and one.keys & conversion.keys and all(id(region) in around for region in one.event.guards())
        for one in steps[place + 1 :]
    )


def _receivers(step: Step) -> tuple[Term, ...]:
    """The terms that the converted object may be."""
    callee = step.call.callee
    if not step.within and isinstance(callee, Attribute):
        return (callee.base,)
    return step.call.inputs


def _caches_in(term: Term, frame: Frame, depth: int) -> Iterator[tuple[str, StaleCache]]:
    """The caches that eval() fills and a conversion leaves, in what a term makes: an object of a class of the project,
    or a layer of torch around some (nn.Sequential, nn.ModuleList)."""
    value = frame.value(term)
    yield from _caches_of(value, depth)
    term = behind(term)
    if value.of is None and isinstance(term, Call) and depth:
        for part in term.inputs:
            yield from _caches_of(frame.value(part), depth - 1)


def _caches_of(value: TensorValue, depth: int) -> Iterator[tuple[str, StaleCache]]:
    for view in _classes_of(value):
        filled = {span_of(moment) for moment in view.walk("train", "eval") if runs_in_mode(moment) is not True}
        for cache in stale_caches(view):
            if Refresh.CONVERT in cache.missed and cache.store in filled:
                yield view.name, cache
        for name in dict.fromkeys((*view.state.names, *view.state.registrations)) if depth else ():
            if view.state.registration(name) is Registration.MODULE:
                for moment in view.state.writes(name):
                    if isinstance(moment.event, Write):
                        yield from _caches_in(moment.event.value, moment.frame, depth - 1)


def _classes_of(value: TensorValue) -> Iterator[ModuleClass]:
    from torchlint.model.classes import ModuleClass

    for one in (value, *(value.items or ()), *((value.element,) if value.element is not None else ())):
        if isinstance(one.of, ModuleClass) and one.of.is_module:
            yield one.of
