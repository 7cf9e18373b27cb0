"""Pins: the calls by which a function puts parts of its object into evaluation mode, itself or by a helper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Display,
    Element,
    Item,
    Starred,
    Subscript,
    Super,
    Term,
    children,
    mentions,
)
from torchlint.model.values import TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

MODES = ("train", "eval")
_MEMBERS = frozenset("modules named_modules children named_children".split())
_RETURN_THE_MODULE = frozenset("to half float double bfloat16 cuda cpu requires_grad_".split())
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Pin:
    """A call of eval(), or train(False), on parts of the object. name: the attribute, "" where parts of all of it are
    chosen by a test of their class."""

    name: str
    call: Call
    frame: Frame


def pins_in(frame: Frame, module: ModuleClass) -> Iterator[Pin]:
    """The parts of the object that a function puts into eval mode, in order, itself or by a helper."""
    for event in frame.function.events:
        call = mode_call(event)
        if call is not None and is_eval(call):
            yield from (Pin(name, call, frame) for name in _parts(call, event, frame))
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from pins_by_helper(event.term, frame, module)


def pins_by_helper(call: Call, frame: Frame, module: ModuleClass) -> Iterator[Pin]:
    """The parts that are given to a function of the project which puts its parameter into eval mode: freeze(self.body),
    self.body.apply(freeze), self.freeze_part(self.body)."""
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name == "apply" and call.arguments:
        helper = _function(frame.value(call.arguments[0]))
        name = "" if frame.is_self(callee.base) else attribute_of(callee.base, frame)
        if helper is not None and name is not None and _eval_of(helper, 0) is not None:
            yield Pin(name, call, frame)
        return
    helper = module.method(callee.name) if isinstance(callee, Attribute) and frame.is_self(callee.base) else None
    is_method = helper is not None
    helper = helper or _function(frame.value(callee))
    for index, given in _handed(call, helper, int(is_method)) if helper is not None else ():
        name = attribute_of(given, frame)
        inner = _eval_of(helper, index) if helper is not None and name is not None else None
        if name is not None and inner is not None and helper is not None:
            yield Pin(name, inner, module.frame(helper)) if is_method else Pin(name, call, frame)


def _handed(call: Call, helper: Function, offset: int) -> Iterator[tuple[int, Term]]:
    """What a call gives for each parameter of a helper: the parts of lists one by one, and what *parts takes."""
    stars = [at for at, parameter in enumerate(helper.parameters) if parameter.kind == "*"]
    for position, given in enumerate(call.arguments, offset):
        whole = given.value if isinstance(given, Starred) else given
        yield from ((min([position, *stars]), part) for part in _parts_of(whole))
        if isinstance(given, Starred):
            return


def _parts_of(term: Term) -> tuple[Term, ...]:
    """The parts of a list or tuple, of each that a branch may choose; any other term as it is."""
    options = term.options if isinstance(term, Choice) else (term,)
    lists = [option.parts for option in options if isinstance(option, Display)]
    return tuple(part for one in lists for part in one) if len(lists) == len(options) else (term,)


def _function(value: TensorValue) -> Function | None:
    """The function that a callable of the project is."""
    found = value.of.function if isinstance(value.of, BoundClosure) else value.of
    return found if isinstance(found, Function) and found.owner is None else None


def _eval_of(helper: Function, index: int) -> Call | None:
    """The call in a helper that puts its parameter, or members of it, into eval mode."""
    for event in helper.events:
        call = mode_call(event)
        if call is None or not is_eval(call) or not isinstance(call.callee, Attribute):
            continue
        receiver = members_of(receiver_of(call)) or receiver_of(call)
        receiver = receiver.iterable if isinstance(receiver, Element) else receiver
        if isinstance(receiver, Argument) and receiver.index == index:
            return call
    return None


def mode_call(event: Event) -> Call | None:
    """The call x.eval() or x.train(..)."""
    term = event.term if isinstance(event, Evaluated) else None
    if isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in MODES:
        return None if isinstance(term.callee.base, Super) else term
    return None


def is_eval(call: Call) -> bool:
    """True for eval() and train(False)."""
    if last_name(call.callee) == "eval":
        return not call.inputs
    given = call.argument(0, "mode")
    return isinstance(given, Constant) and given.value is False


def _parts(call: Call, event: Event, frame: Frame) -> list[str]:
    """The attributes that a call puts into eval mode: several where it stands in a loop over them."""
    receiver = receiver_of(call)
    if isinstance(receiver, Element) and isinstance(receiver.iterable, Display):
        found = [attribute_of(part, frame) for part in receiver.iterable.parts]
    else:
        found = [_part(call, event, frame)]
    return [name for name in found if name is not None]


def receiver_of(call: Call) -> Term:
    """What a mode call is made on, below the methods that return the module itself."""
    assert isinstance(call.callee, Attribute)
    term = call.callee.base
    while isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _RETURN_THE_MODULE:
        term = term.callee.base
    return term


def _part(call: Call, event: Event, frame: Frame) -> str | None:
    """The attribute of the object that is, or holds, what is put into eval mode; "" where parts of the whole object
    are; None for something else, the object itself included."""
    receiver = receiver_of(call)
    members = members_of(receiver)
    if members is not None:
        if frame.is_self(members):
            return "" if is_chosen(event, receiver) else None
        return attribute_of(members, frame)
    found = attribute_of(receiver, frame) or _chosen_by_helper(receiver, frame) or _stored_as(receiver, call, frame)
    return _named(receiver, frame) if found is None else found


def _named(receiver: Term, frame: Frame) -> str | None:
    """The attribute of getattr(self, name); "" where it may be several."""
    if not isinstance(receiver, Call) or last_name(receiver) != "getattr" or len(receiver.arguments) < 2:
        return None
    if not frame.is_self(receiver.arguments[0]):
        return None
    names = sorted(frame.evaluator.strings(receiver.arguments[1], frame))
    return names[0] if len(names) == 1 else ""


def _chosen_by_helper(receiver: Term, frame: Frame) -> str | None:
    """The attribute whose members a function of the project gives: norms_of(self.stages[:2])."""
    call = receiver.iterable if isinstance(receiver, Element) else None
    helper = _function(frame.value(call.callee)) if isinstance(call, Call) and call.inputs else None
    if helper is None or not isinstance(call, Call):
        return None
    is_member = any(mentions(event.value, _MEMBERS) for event in helper.returned)
    names = (attribute_of(given, frame) for given in call.inputs) if is_member else ()
    return next((name for name in names if name is not None), None)


def members_of(term: Term) -> Term | None:
    """What x is, for an element of x.modules(), x.named_children() and their like."""
    if isinstance(term, Item):
        term = term.base
    if not isinstance(term, Element) or not isinstance(term.iterable, Call):
        return None
    callee = term.iterable.callee
    return callee.base if isinstance(callee, Attribute) and callee.name in _MEMBERS else None


def is_chosen(event: Event, receiver: Term) -> bool:
    """True where a test of the member decides on the event."""
    return any(_mentions(region.subject, receiver, _DEPTH) for region in event.guards())


def _mentions(term: Term, wanted: Term, depth: int) -> bool:
    return term is wanted or (depth > 0 and any(_mentions(part, wanted, depth - 1) for part in children(term)))


def attribute_of(term: Term, frame: Frame) -> str | None:
    """The first attribute of self.backbone, self.backbone.layer4, and of an element of self.stages[:2]."""
    while isinstance(term, (Attribute, Subscript, Element)):
        if isinstance(term, Attribute) and frame.is_self(term.base):
            return term.name
        term = term.iterable if isinstance(term, Element) else term.base
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


def is_same_part(call: Call, pin: Pin) -> bool:
    """True for a mode call on what is pinned, or on the object as a whole."""
    if not isinstance(call.callee, Attribute) or not isinstance(pin.call.callee, Attribute):
        return False
    base = call.callee.base
    return (
        base is pin.call.callee.base or pin.frame.is_self(base) or attribute_of(base, pin.frame) == (pin.name or None)
    )


def is_on_object(call: Call, frame: Frame) -> bool:
    """True for self.eval(), self.train(..)."""
    return isinstance(call.callee, Attribute) and frame.is_self(call.callee.base)
