"""Late freezes: methods and functions that put parts of a model to sleep, and are called once before its train()."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import keeps_modes
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import callers_of
from torchlint.model.flow.same_object import Key, is_exclusive, keys_of, steps_of
from torchlint.model.frames import Frame, Moment, called_names, has_self, last_name
from torchlint.model.modes.freezes import Freeze, is_temporary
from torchlint.model.modes.parts import depends_on_mode, is_registered
from torchlint.model.modes.pins import (
    MODES,
    Pin,
    is_chosen,
    is_eval,
    is_on_object,
    members_of,
    mode_call,
    pins_in,
    receiver_of,
)
from torchlint.model.modes.sleepers import stays_asleep
from torchlint.model.terms import Argument, Attribute, Call, Constant, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_FREEZES = re.compile(r".*(freez|froz|fix_|_fix|lock_|bn_eval|eval_bn|set_bn).*", re.IGNORECASE)


def late_freezes(module: ModuleClass) -> Iterator[Freeze]:
    """The parts that a freezing method of the class puts into evaluation mode, where a function that calls it calls
    train() of the same object afterwards, and the method not again."""
    if any(keeps_modes(base) for base in module.foreign_bases):
        return
    for method in module.facts.methods.values():
        if not _is_freezing(method) or id(method) in module.construction_functions:
            continue
        frame = module.frame(method)
        pins = [pin for pin in pins_in(frame, module) if not is_temporary(pin) and _matters(pin, module)]
        if pins and not _is_repeated_by_train(module, method) and _is_undone(frame, None):
            yield from _told(pins, module.facts.qualname)


def _matters(pin: Pin, module: ModuleClass) -> bool:
    is_awake = is_registered(module, pin.name) and not stays_asleep(pin, module)
    return is_awake and depends_on_mode(module, pin.name) is not False


def late_freezes_by(frame: Frame) -> Iterator[Freeze]:
    """The same for a function that is given the model."""
    function = frame.function
    if function.owner is not None or frame.outer is not None or not _is_freezing(function):
        return
    for event in function.events:
        call = mode_call(event)
        model = _model_of(call, event) if call is not None and is_eval(call) else None
        if call is not None and model is not None and _is_undone(frame, model):
            yield from _told([Pin("", call, frame)], "")


def _told(pins: list[Pin], owner: str) -> Iterator[Freeze]:
    """One freeze for each call, of the first part that it puts to sleep."""
    for pin in {id(pin.call): pin for pin in reversed(pins)}.values():
        method = pin.frame.method
        part = f"self.{pin.name}" if pin.name else "what is chosen by its class"
        symbol = f"{method.owner or owner}.{pin.name or method.name}" if owner else method.qualname
        yield Freeze(part, symbol, pin.frame.span(pin.call.place), method.name)


def _is_freezing(function: Function) -> bool:
    """True for a function that says so by its name, or that also stops gradients, and puts something to sleep."""
    if called_names(function).isdisjoint(MODES):
        return False
    if not any((call := mode_call(event)) is not None and is_eval(call) for event in function.events):
        return False
    return bool(_FREEZES.fullmatch(function.name)) or any(map(_stops_gradients, function.events))


def _stops_gradients(event: Event) -> bool:
    if isinstance(event, Write):
        return event.attribute == "requires_grad" and isinstance(event.value, Constant) and event.value.value is False
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call) or last_name(call) != "requires_grad_":
        return False
    given = call.argument(0, "requires_grad")
    return isinstance(given, Constant) and given.value is False


def _model_of(call: Call, event: Event) -> Argument | None:
    """The parameter of which members that a test chooses are put to sleep."""
    receiver = receiver_of(call)
    model = members_of(receiver)
    return model if isinstance(model, Argument) and is_chosen(event, receiver) else None


def _is_repeated_by_train(module: ModuleClass, method: Function) -> bool:
    """True where the train() of the class puts parts to sleep itself, or by the method."""
    train = module.method("train")
    frame = module.frame(train) if train is not None else None
    for event in train.events if train is not None else ():
        call = mode_call(event)
        if frame is not None and call is not None and is_eval(call) and not is_on_object(call, frame):
            return True
        if isinstance(event, Evaluated) and isinstance(event.term, Call) and last_name(event.term) == method.name:
            return True
    return False


# Callers


def _is_undone(frame: Frame, model: Argument | None) -> bool:
    """True where some caller calls train() of the model later, and does not freeze it after that. model: the parameter
    that is the model, None for the object of a method."""
    callers: dict[int, list[Moment]] = {}
    for moment in callers_of(frame):
        if model is None and not _is_on_the_class(moment, frame):
            continue
        callers.setdefault(id(moment.frame.function), []).append(moment)
    return any(_is_woken_in(calls, frame, model) for calls in callers.values())


def _is_on_the_class(moment: Moment, frame: Frame) -> bool:
    """False for a call of that method of another class; where it is not known, the name decides if no other class
    of the file has it."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    callee = call.callee if isinstance(call, Call) else None
    view = moment.frame.value(callee.base).of if isinstance(callee, Attribute) else None
    name = frame.function.name
    if view is not None and hasattr(view, "ancestors"):
        return view.method(name) is frame.function.definition
    outline = frame.evaluator.project.outline(frame.path)
    return outline is not None and sum(name in one.methods for one in outline.classes.values()) == 1


def _is_woken_in(calls: list[Moment], frame: Frame, model: Argument | None) -> bool:
    caller = calls[0].frame
    order = {id(event): number for number, event in enumerate(caller.function.events)}
    frozen = [(order[id(one.event)], one.event, _frozen_keys(one, frame, model)) for one in calls]
    for step in steps_of(caller):
        if step.kind != "train" or not _is_plain_train(step.call, step.within):
            continue
        woken = order[id(step.event)]
        same = [(number, event) for number, event, keys in frozen if keys & step.keys]
        is_later = any(number < woken and not is_exclusive(event, step.event) for number, event in same)
        if is_later and not any(number > woken for number, _ in same):
            return True
    return False


def _is_plain_train(call: Call, within: bool) -> bool:
    """True for train(), train(True), and for a helper that calls it."""
    mode = call.argument(0, "mode")
    return within or mode is None or (isinstance(mode, Constant) and mode.value is True)


def _frozen_keys(moment: Moment, frame: Frame, model: Argument | None) -> frozenset[Key]:
    """The names, in the caller, of the model that a call freezes."""
    call = moment.event.term if isinstance(moment.event, Evaluated) else None
    given: Term | None = None
    if isinstance(call, Call) and model is not None:
        offset = int(has_self(frame.function))
        given = call.argument(model.index - offset, model.name)
    elif isinstance(call, Call) and isinstance(call.callee, Attribute):
        given = call.callee.base
    return keys_of(given, moment.frame) if given is not None else frozenset()
