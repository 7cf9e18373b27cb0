"""Attributes that are written anew before they are read: what construction has left in them reaches no result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Event, RegionKind, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of
from torchlint.model.frames import Frame, Moment, has_self, last_name
from torchlint.model.terms import Attribute, Call, Super, Term
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_DEPTH = 4
# What a decorator may be that runs the function when it is called, once and as it is.
_PLAIN_DECORATORS = frozenset("no_grad inference_mode enable_grad".split())


def is_rewritten_first(module: ModuleClass, read: Event, name: str, frame: Frame) -> bool:
    """True where the attribute is stored on every way to the read: in the function that reads, by a method that it
    calls before, or before each call of it. A method that the project calls from elsewhere is no such way."""
    return _is_stored_before(module, read, name, frame) or _is_stored_by_callers(module, name, frame, _DEPTH)


def _is_stored_before(module: ModuleClass, read: Event, name: str, frame: Frame) -> bool:
    around = {id(region) for region in read.regions}
    for event in frame.function.events:
        if event is read:
            return False
        if _stores(module, event, name, frame, _DEPTH) and all(id(region) in around for region in event.regions):
            return True
    return False


def _stores(module: ModuleClass, event: Event, name: str, frame: Frame, depth: int) -> bool:
    """True for an assignment to the attribute, and for a call of a method of the object that always makes one."""
    if isinstance(event, Write):
        return event.attribute == name and frame.is_self(event.base)
    callee = event.term.callee if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
    if depth == 0 or not isinstance(callee, Attribute) or not frame.is_self(callee.base):
        return False
    method = module.method(callee.name)
    if method is None or not has_self(method) or not _runs_as_written(method):
        return False
    inner = module.frame(method)
    return any(
        all(region.kind is RegionKind.WITH for region in one.regions) and _stores(module, one, name, inner, depth - 1)
        for one in method.events
    )


def _runs_as_written(method: Function) -> bool:
    is_generator = any(event.is_yield for event in method.returned)
    return not is_generator and all(last_name(one) in _PLAIN_DECORATORS for one in method.decorators)


def _is_stored_by_callers(module: ModuleClass, name: str, frame: Frame, depth: int) -> bool:
    """True for a method that is only called on its own object, each time after the attribute was stored."""
    function = frame.function
    is_entry = function.name == "forward" or function.name.startswith("__")
    if depth == 0 or is_entry or frame.outer is not None or not has_self(function) or not _runs_as_written(function):
        return False
    if not _is_written_later(module, name) or _is_handed_on(module, function):
        return False
    callers = _callers(module, function)
    return bool(callers) and all(
        _is_on_own_object(one)
        and (
            _is_stored_before(module, one.event, name, one.frame)
            or _is_stored_by_callers(module, name, one.frame, depth - 1)
        )
        for one in callers
    )


def _callers(module: ModuleClass, function: Function) -> list[Moment]:
    """The calls of a method after construction, without those of objects that are known to be of other classes."""
    building = module.only_building
    later = (one for one in callers_of(module.frame(function)) if id(one.frame.function) not in building)
    return [one for one in later if not _is_of_others(module, one)]


def _is_of_others(module: ModuleClass, moment: Moment) -> bool:
    base, frame = _receiver(moment), moment.frame
    if base is None or isinstance(base, Super):
        return False
    view = frame.view if frame.is_self(base) else frame.value(base).of
    if view is None:
        return frame.value(base).kind not in (Kind.UNKNOWN, Kind.MODULE, Kind.OBJECT)
    return module not in getattr(view, "ancestors", ()) and view not in module.ancestors


def _is_written_later(module: ModuleClass, name: str) -> bool:
    return any(id(one.frame.function) not in module.construction_functions for one in module.state.writes(name))


def _is_handed_on(module: ModuleClass, function: Function) -> bool:
    """True for a method that is read without being called: whoever gets it may call it at any time."""
    for event, inside in _reads_of_method(module, function.name):
        if not any(call.callee is event.term for call in inside.calls):
            return True
    return False


def _reads_of_method(module: ModuleClass, name: str) -> Iterator[tuple[Evaluated, Function]]:
    for moment in module.state.reads(name):
        if isinstance(moment.event, Evaluated):
            yield moment.event, moment.frame.function


def _is_on_own_object(moment: Moment) -> bool:
    base = _receiver(moment)
    return base is not None and moment.frame.outer is None and (isinstance(base, Super) or moment.frame.is_self(base))


def _receiver(moment: Moment) -> Term | None:
    """The object whose method is called."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    return call.callee.base if isinstance(call, Call) and isinstance(call.callee, Attribute) else None
