"""Freezes: parts of a module that its constructor puts into eval mode, and that the next train() of the whole wakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import keeps_modes
from torchlint.model.events import Evaluated, Event, Region, RegionKind, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.same_object import Key, bases_of, keys_of, steps_of
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modes.freeze_owners import has_learning_owner
from torchlint.model.modes.own_recursion import is_left_out
from torchlint.model.modes.parts import NESTED, depends_on_mode, is_given_module, is_registered, learns
from torchlint.model.modes.pins import (
    MODES,
    Pin,
    is_eval,
    is_on_object,
    is_same_part,
    mode_call,
    pins_by_helper,
    pins_in,
)
from torchlint.model.modes.sleepers import stays_asleep
from torchlint.model.terms import (
    Attribute,
    Call,
    Constant,
    Element,
    Item,
    Term,
)
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


@dataclass(frozen=True, slots=True)
class Freeze:
    """A part in eval mode that nothing keeps there.

    part: what it is called, "self.backbone" or "some layers". method: where it is put into eval mode.
    """

    part: str
    symbol: str
    span: Span
    method: str


def undone_freezes(module: ModuleClass) -> Iterator[Freeze]:
    """The parts that construction puts into eval mode for good, in a module that has others to train.

    Silent where train() or a method that runs later puts them there again, where the whole module is frozen, and where
    the trainer of a framework leaves modes as they are.
    """
    if any(keeps_modes(base) for base in module.foreign_bases):
        return
    pins = [pin for frame in _building_frames(module) for pin in pins_in(frame, module)]
    pins = [pin for pin in pins if not is_temporary(pin) and not stays_asleep(pin, module) and not _is_repeated(pin)]
    if not pins or _is_woken(module) or _is_kept(module, pins) or _is_frozen_whole(module):
        return
    if all(is_left_out(pin.name, module) for pin in pins):
        return
    if not _is_part_of_more(module, pins):
        return
    told: set[int] = set()
    for pin in pins:
        is_told = id(pin.call) in told
        if not is_told and is_registered(module, pin.name) and depends_on_mode(module, pin.name) is not False:
            told.add(id(pin.call))
            function = pin.frame.method
            yield Freeze(
                part=f"self.{pin.name}" if pin.name else "what is chosen by its class",
                symbol=f"{function.owner or module.facts.qualname}.{pin.name or function.name}",
                span=pin.frame.span(pin.call.place),
                method=function.name,
            )


def _building_frames(module: ModuleClass) -> list[Frame]:
    """The functions that construction runs, also those that do nothing which the walk of it notes."""
    init = module.method("__init__")
    frames = [module.frame(init)] if init is not None else []
    for moment in module.construction:
        frames.append(moment.frame)
        if isinstance(moment.event, Evaluated) and isinstance(moment.event.term, Call):
            frames += module.callees(moment.event.term, moment.frame)
    return list({id(frame.function): frame for frame in frames}.values())


def is_temporary(pin: Pin) -> bool:
    """True where the same function switches the part back."""
    calls = [call for event in pin.frame.function.events if (call := mode_call(event)) is not None]
    later = calls[calls.index(pin.call) + 1 :] if pin.call in calls else []
    return any(not is_eval(call) and is_same_part(call, pin) for call in later)


def _is_woken(module: ModuleClass) -> bool:
    """True where the constructor itself ends in self.train(): eval() was for the time in between."""
    frames = _building_frames(module)
    calls = [(mode_call(event), frame) for frame in frames for event in frame.function.events]
    return any(call is not None and not is_eval(call) and is_on_object(call, frame) for call, frame in calls)


# What keeps a part in eval mode


def _is_kept(module: ModuleClass, pins: list[Pin]) -> bool:
    """True where something that runs later puts parts into eval mode again, or takes their train() from them."""
    pinning = {id(pin.frame.function) for pin in pins}
    building = {id(frame.function) for frame in _building_frames(module)}
    for function in module.methods:
        is_later = id(function) not in building or function.name in MODES
        if is_later and any(_keeps(event, module, function, pinning) for event in function.events):
            return True
    return any(_replaces_train(event) for frame in _building_frames(module) for event in frame.function.events)


def _is_repeated(pin: Pin) -> bool:
    """True for a method of the object that a training function calls again after each train() of the whole."""
    callers: dict[int, list[Moment]] = {}
    for moment in callers_of(pin.frame):
        callers.setdefault(id(moment.frame.function), []).append(moment)
    return any(map(_repeats, callers.values()))


def _repeats(calls: list[Moment]) -> bool:
    """True where the last of some calls stands behind the last train() of what they are called on, also behind that of
    the wrapper around: net.train(), net.module.freeze()."""
    caller, keys = calls[0].frame, set[Key]()
    for moment in calls:
        callee = getattr(getattr(moment.event, "term", None), "callee", None)
        for key in keys_of(callee.base, caller) if isinstance(callee, Attribute) else ():
            keys.update((key, *bases_of(key)))
    order = {id(event): number for number, event in enumerate(caller.function.events)}
    woken = [step.event for step in steps_of(caller) if step.kind == "train" and step.keys & keys]
    last = max(order[id(moment.event)] for moment in calls)
    rounds = {id(_innermost_loop(moment.event)) for moment in calls} - {id(None)}
    # What the end of a round wakes, the next one puts to sleep again.
    return bool(woken) and all(order[id(one)] < last or id(_innermost_loop(one)) in rounds for one in woken)


def _innermost_loop(event: Event) -> Region | None:
    return next((region for region in event.regions if region.kind is RegionKind.LOOP), None)


def _keeps(event: Event, module: ModuleClass, function: Function, pinning: set[int]) -> bool:
    frame = module.frame(function)
    term = event.term if isinstance(event, Evaluated) else None
    if not isinstance(term, Call):
        return False
    call = mode_call(event)
    if call is not None and is_eval(call) and not is_on_object(call, frame):
        return True
    is_pinning = any(id(callee.function) in pinning for callee in module.callees(term, frame))
    return is_pinning or any(True for _ in pins_by_helper(term, frame, module))


def _replaces_train(event: Event) -> bool:
    """True for self.backbone.train = ..."""
    return isinstance(event, Write) and event.attribute in MODES


# Whether it matters


def _is_frozen_whole(module: ModuleClass) -> bool:
    """True where the constructor freezes every parameter of the object, or puts all of it into eval mode: nobody trains
    it."""
    frames = _building_frames(module)
    return any(_freezes_whole(event, frame) for frame in frames for event in frame.function.events)


def _freezes_whole(event: Event, frame: Frame) -> bool:
    if isinstance(event, Write):
        is_switched = event.attribute == "requires_grad" and _is_any_parameter(event.base, frame)
        return is_switched and not event.guards()
    term = event.term if isinstance(event, Evaluated) else None
    if not isinstance(term, Call) or not isinstance(term.callee, Attribute) or not frame.is_self(term.callee.base):
        return False
    return term.callee.name == "eval" or (term.callee.name == "requires_grad_" and bool(term.inputs))


def _is_any_parameter(term: Term, frame: Frame) -> bool:
    """True for an element of self.parameters()."""
    if isinstance(term, Item):
        term = term.base
    callee = term.iterable.callee if isinstance(term, Element) and isinstance(term.iterable, Call) else None
    is_listing = isinstance(callee, Attribute) and callee.name in ("parameters", "named_parameters")
    return is_listing and frame.is_self(callee.base)  # type: ignore[union-attr]


def _has_other_parts(module: ModuleClass, pins: list[Pin]) -> bool:
    """True where the module has Parameters, or children with some, beside those that are pinned.

    A child that the caller gives, so that nothing is known of it, counts where gradients of the pinned ones are
    switched off: then others are to be trained.
    """
    pinned = frozenset(pin.name for pin in pins)
    if "" in pinned:
        return True
    names = [name for name in (*module.state.registrations, *module.state.names) if name not in pinned]
    if any(learns(module, name, NESTED) for name in names):
        return True
    is_frozen = any(_may_stop_gradients(event) for pin in pins for event in pin.frame.function.events)
    return is_frozen and any(is_given_module(module, name) for name in names)


def _is_part_of_more(module: ModuleClass, pins: list[Pin]) -> bool:
    """True where there is something to train beside what is frozen: here, or in a module that has it as part."""
    if _has_other_parts(module, pins) or any(_is_optional(pin, module) for pin in pins):
        return True
    return any(depends_on_mode(module, pin.name) for pin in pins) and has_learning_owner(module)


def _is_optional(pin: Pin, module: ModuleClass) -> bool:
    """True where an option decides on the freeze: a wrapper of one part, and a model around it has the others."""
    for moment in module.construction:
        event = moment.event
        term = event.term if isinstance(event, Evaluated) else None
        called = module.callees(term, moment.frame) if isinstance(term, Call) else ()
        is_here = term is pin.call or any(callee.function is pin.frame.function for callee in called)
        if is_here and moment.guards():
            return True
    return False


def _may_stop_gradients(event: Event) -> bool:
    """True for requires_grad = False and requires_grad_(False), and where an option says which."""
    if isinstance(event, Write):
        return event.attribute == "requires_grad" and not _is_true(event.value)
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call) or last_name(call) != "requires_grad_":
        return False
    given = call.argument(0, "requires_grad")
    return given is not None and not _is_true(given)


def _is_true(term: Term) -> bool:
    return isinstance(term, Constant) and term.value is True
