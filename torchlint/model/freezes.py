"""Freezes: parts of a module that its constructor puts into eval mode, and that the next train() of the whole wakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import is_stateless_layer, is_torch_layer
from torchlint.knowledge.module_members import changes_with_mode, keeps_modes
from torchlint.model.bound import BoundClosure
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, last_name
from torchlint.model.state import Registration
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Constant,
    Display,
    Element,
    Item,
    Super,
    Term,
    children,
)
from torchlint.model.values import Kind, TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_MODES = ("train", "eval")
_MEMBERS = frozenset("modules named_modules children named_children".split())
_RETURN_THE_MODULE = frozenset("to half float double bfloat16 cuda cpu requires_grad_".split())
_NESTED = 5
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Freeze:
    """A part in eval mode that nothing keeps there.

    part: what it is called, "self.backbone" or "some layers". method: where it is put into eval mode.
    """

    part: str
    symbol: str
    span: Span
    method: str


@dataclass(frozen=True, slots=True)
class _Pin:
    """A call of eval(), or train(False), on parts of the object. name: the attribute, "" where parts of all of it are
    chosen by a test of their class."""

    name: str
    call: Call
    frame: Frame


def undone_freezes(module: ModuleClass) -> Iterator[Freeze]:
    """The parts that construction puts into eval mode for good, in a module that has others to train.

    Silent where train() or a method that runs later puts them there again, where the whole module is frozen, and where
    the trainer of a framework leaves modes as they are.
    """
    if any(keeps_modes(base) for base in module.foreign_bases):
        return
    pins = [pin for frame in _building_frames(module) for pin in _pins_in(frame, module)]
    pins = [pin for pin in pins if not _is_temporary(pin)]
    if not pins or _is_woken(module) or _is_kept(module, pins) or _is_frozen_whole(module):
        return
    if not _has_other_parts(module, pins) and not any(_is_optional(pin, module) for pin in pins):
        return
    told: set[int] = set()
    for pin in pins:
        is_told = id(pin.call) in told
        if not is_told and _is_registered(module, pin.name) and depends_on_mode(module, pin.name) is not False:
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


def _pins_in(frame: Frame, module: ModuleClass) -> Iterator[_Pin]:
    """The parts of the object that a function puts into eval mode, in order, itself or by a helper."""
    for event in frame.function.events:
        call = _mode_call(event)
        if call is not None and _is_eval(call):
            yield from (_Pin(name, call, frame) for name in _parts(call, event, frame))
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from _pins_by_helper(event.term, frame, module)


def _pins_by_helper(call: Call, frame: Frame, module: ModuleClass) -> Iterator[_Pin]:
    """The parts that are given to a function of the project which puts its parameter into eval mode: freeze(self.body),
    self.body.apply(freeze), self.freeze_part(self.body)."""
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name == "apply" and call.arguments:
        helper = _function(frame.value(call.arguments[0]))
        name = "" if frame.is_self(callee.base) else _attribute(callee.base, frame)
        if helper is not None and name is not None and _eval_of(helper, 0) is not None:
            yield _Pin(name, call, frame)
        return
    helper = module.method(callee.name) if isinstance(callee, Attribute) and frame.is_self(callee.base) else None
    is_method = helper is not None
    helper = helper or _function(frame.value(callee))
    for position, given in enumerate(call.arguments if helper is not None else ()):
        name = _attribute(given, frame)
        inner = _eval_of(helper, position + is_method) if helper is not None and name is not None else None
        if name is not None and inner is not None and helper is not None:
            yield _Pin(name, inner, module.frame(helper)) if is_method else _Pin(name, call, frame)


def _function(value: TensorValue) -> Function | None:
    """The function that a callable of the project is."""
    found = value.of.function if isinstance(value.of, BoundClosure) else value.of
    return found if isinstance(found, Function) and found.owner is None else None


def _eval_of(helper: Function, index: int) -> Call | None:
    """The call in a helper that puts its parameter, or members of it, into eval mode."""
    for event in helper.events:
        call = _mode_call(event)
        if call is None or not _is_eval(call) or not isinstance(call.callee, Attribute):
            continue
        receiver = _members_of(call.callee.base) or call.callee.base
        if isinstance(receiver, Argument) and receiver.index == index:
            return call
    return None


def _mode_call(event: Event) -> Call | None:
    """The call x.eval() or x.train(..)."""
    term = event.term if isinstance(event, Evaluated) else None
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _MODES:
        return None if isinstance(term.callee.base, Super) else term
    return None


def _is_eval(call: Call) -> bool:
    if last_name(call.callee) == "eval":
        return not call.inputs
    given = call.argument(0, "mode")
    return isinstance(given, Constant) and given.value is False


def _parts(call: Call, event: Event, frame: Frame) -> list[str]:
    """The attributes that a call puts into eval mode: several where it stands in a loop over them."""
    receiver = _receiver(call)
    if isinstance(receiver, Element) and isinstance(receiver.iterable, Display):
        found = [_attribute(part, frame) for part in receiver.iterable.parts]
    else:
        found = [_part(call, event, frame)]
    return [name for name in found if name is not None]


def _receiver(call: Call) -> Term:
    """What a mode call is made on, below the methods that return the module itself."""
    assert isinstance(call.callee, Attribute)
    term = call.callee.base
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _RETURN_THE_MODULE:
        term = term.callee.base
    return term


def _part(call: Call, event: Event, frame: Frame) -> str | None:
    """The attribute of the object that is, or holds, what is put into eval mode; "" where parts of the whole object
    are; None for something else, the object itself included."""
    receiver = _receiver(call)
    members = _members_of(receiver)
    if members is not None:
        if frame.is_self(members):
            return "" if _is_chosen(event, receiver) else None
        return _attribute(members, frame)
    return _attribute(receiver, frame) or _stored_as(receiver, call, frame)


def _members_of(term: Term) -> Term | None:
    """What x is, for an element of x.modules(), x.named_children() and their like."""
    if isinstance(term, Item):
        term = term.base
    if not isinstance(term, Element) or not isinstance(term.iterable, Call):
        return None
    callee = term.iterable.callee
    return callee.base if isinstance(callee, Attribute) and callee.name in _MEMBERS else None


def _is_chosen(event: Event, receiver: Term) -> bool:
    """True where a test of the member decides on the event."""
    return any(_mentions(region.subject, receiver, _DEPTH) for region in event.guards())


def _mentions(term: Term, wanted: Term, depth: int) -> bool:
    return term is wanted or (depth > 0 and any(_mentions(part, wanted, depth - 1) for part in children(term)))


def _attribute(term: Term, frame: Frame) -> str | None:
    """The first attribute of self.backbone, self.backbone.layer4."""
    while isinstance(term, Attribute):
        if frame.is_self(term.base):
            return term.name
        term = term.base
    return None


def _stored_as(receiver: Term, call: Call, frame: Frame) -> str | None:
    """The attribute that a local object, or the result of the call itself, is assigned to."""
    for event in frame.function.events:
        if not isinstance(event, Write) or not isinstance(event.attribute, str) or not frame.is_self(event.base):
            continue
        if event.value is receiver or _ends_in(event.value, call):
            return event.attribute
    return None


def _ends_in(term: Term, call: Call) -> bool:
    """True where `term` is the call, or a method of its result: make().eval().requires_grad_(False)."""
    while term is not call:
        if not isinstance(term, Call) or not isinstance(term.callee, Attribute):
            return False
        term = term.callee.base
    return True


def _is_temporary(pin: _Pin) -> bool:
    """True where the same function switches the part back."""
    calls = [call for event in pin.frame.function.events if (call := _mode_call(event)) is not None]
    later = calls[calls.index(pin.call) + 1 :] if pin.call in calls else []
    return any(not _is_eval(call) and _is_same_part(call, pin) for call in later)


def _is_woken(module: ModuleClass) -> bool:
    """True where the constructor itself ends in self.train(): eval() was for the time in between."""
    frames = _building_frames(module)
    calls = [(_mode_call(event), frame) for frame in frames for event in frame.function.events]
    return any(call is not None and not _is_eval(call) and _is_on_object(call, frame) for call, frame in calls)


def _is_same_part(call: Call, pin: _Pin) -> bool:
    if not isinstance(call.callee, Attribute) or not isinstance(pin.call.callee, Attribute):
        return False
    base = call.callee.base
    return base is pin.call.callee.base or pin.frame.is_self(base) or _attribute(base, pin.frame) == (pin.name or None)


# What keeps a part in eval mode


def _is_kept(module: ModuleClass, pins: list[_Pin]) -> bool:
    """True where something that runs later puts parts into eval mode again, or takes their train() from them."""
    pinning = {id(pin.frame.function) for pin in pins}
    building = {id(frame.function) for frame in _building_frames(module)}
    for function in module.methods:
        is_later = id(function) not in building or function.name in _MODES
        if is_later and any(_keeps(event, module, function, pinning) for event in function.events):
            return True
    return any(_replaces_train(event) for frame in _building_frames(module) for event in frame.function.events)


def _keeps(event: Event, module: ModuleClass, function: Function, pinning: set[int]) -> bool:
    frame = module.frame(function)
    term = event.term if isinstance(event, Evaluated) else None
    if not isinstance(term, Call):
        return False
    call = _mode_call(event)
    if call is not None and _is_eval(call) and not _is_on_object(call, frame):
        return True
    is_pinning = any(id(callee.function) in pinning for callee in module.callees(term, frame))
    return is_pinning or any(True for _ in _pins_by_helper(term, frame, module))


def _is_on_object(call: Call, frame: Frame) -> bool:
    """True for self.eval(), self.train(..)."""
    return isinstance(call.callee, Attribute) and frame.is_self(call.callee.base)


def _replaces_train(event: Event) -> bool:
    """True for self.backbone.train = ..."""
    return isinstance(event, Write) and event.attribute in _MODES


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


def _has_other_parts(module: ModuleClass, pins: list[_Pin]) -> bool:
    """True where the module has Parameters, or children with some, beside those that are pinned.

    A child that the caller gives, so that nothing is known of it, counts where gradients of the pinned ones are
    switched off: then others are to be trained.
    """
    pinned = frozenset(pin.name for pin in pins)
    if "" in pinned:
        return True
    names = [name for name in (*module.state.registrations, *module.state.names) if name not in pinned]
    if any(_learns(module, name, _NESTED) for name in names):
        return True
    is_frozen = any(_stops_gradients(event) for pin in pins for event in pin.frame.function.events)
    return is_frozen and any(_is_given_module(module, name) for name in names)


def _is_optional(pin: _Pin, module: ModuleClass) -> bool:
    """True where an option decides on the freeze: a wrapper of one part, and a model around it has the others."""
    for moment in module.construction:
        event = moment.event
        term = event.term if isinstance(event, Evaluated) else None
        called = module.callees(term, moment.frame) if isinstance(term, Call) else ()
        is_here = term is pin.call or any(callee.function is pin.frame.function for callee in called)
        if is_here and moment.guards():
            return True
    return False


def _is_given_module(module: ModuleClass, name: str) -> bool:
    value = module.state.value(name)
    is_child = module.state.registration(name) is Registration.MODULE
    return is_child and value.of is None and value.made_by is None


def _stops_gradients(event: Event) -> bool:
    if isinstance(event, Write):
        return event.attribute == "requires_grad"
    term = event.term if isinstance(event, Evaluated) else None
    return isinstance(term, Call) and last_name(term.callee) == "requires_grad_"


def _learns(module: ModuleClass, name: str, depth: int) -> bool:
    how = module.state.registration(name)
    if how is Registration.PARAMETER:
        return True
    return how is Registration.MODULE and _has_parameters(module.state.value(name), depth - 1)


def _has_parameters(value: TensorValue, depth: int) -> bool:
    """True for a layer of torch that may have some, and for a module of the project that is known to have some."""
    if value.of is None:
        layer = value.made_by or ""
        return is_torch_layer(layer) and not is_stateless_layer(layer)
    return any(_learns(value.of, name, depth) for name in value.of.state.names) if depth else False


def _is_registered(module: ModuleClass, name: str) -> bool:
    """True for a child; what is not known counts, as eval() was called on it."""
    if not name:
        return True
    kind = module.state.value(name).kind
    # object.__setattr__(self, "teacher", teacher) hides a module from train().
    is_hidden = kind is Kind.MODULE and module.state.registration(name) is None
    is_plain = kind not in (Kind.MODULE, Kind.UNKNOWN)
    return not is_plain and not is_hidden and bool(module.state.writes(name) or name in module.state.registrations)


def depends_on_mode(module: ModuleClass, name: str) -> bool | None:
    """Whether a child computes otherwise in evaluation; None where that is not known."""
    if not name:
        return None
    found = [
        _change_of(event.value, moment.frame)
        for moment in module.state.writes(name)
        if isinstance(event := moment.event, Write)
    ]
    return _any_of(found) if found else None


def _change_of(term: Term, frame: Frame, depth: int = _NESTED) -> bool | None:
    value = frame.value(term)
    layer = value.made_by or ""
    if isinstance(term, Call) and is_torch_layer(layer) and changes_with_mode(layer) is None and depth:
        return _any_of([_change_of(given, frame, depth - 1) for given in term.arguments]) if term.arguments else None
    return _change_in(value, depth)


def _change_in(value: TensorValue, depth: int) -> bool | None:
    if value.of is not None and value.made_by == "instance" and depth:
        state = value.of.state
        parts = [name for name in state.names if state.registration(name) is Registration.MODULE]
        found = [
            _change_of(m.event.value, m.frame, depth - 1)
            for name in parts
            for m in state.writes(name)
            if isinstance(m.event, Write)
        ]
        return _any_of(found) if found else None
    return changes_with_mode(value.made_by) if value.made_by and is_torch_layer(value.made_by) else None


def _any_of(found: list[bool | None]) -> bool | None:
    return True if True in found else None if None in found else False
