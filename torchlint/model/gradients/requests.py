"""Gradients that somebody asks for: backward(), autograd.grad(), requires_grad, an optimizer's step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.same_object import is_kept_from, kind_of
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Attribute, Call, Element, Item, Subscript, Term, children
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# What needs the graph, by the last name of what is called.
_DIFFERENTIATES = re.compile(
    r".*backward.*|grad|grads|jacobian|hessian|vjp|jvp|requires_grad_?|step|register_hook|.*attack.*"
)
# What has a step() of another kind: schedules, counters of rounds, worlds that take an action.
_STEPS_OTHERWISE = re.compile(
    r".*(sched|plateau|steplr|cosine|exponentiallr|lambdalr|cycliclr|onecycle|anneal|warm_?up|decay|stopp|profil"
    r"|progress|timer).*|(\w*_)?(envs?|lr|prof|pbar|world|simulator)(_\w+)?",
    re.IGNORECASE,
)
_OF_A_WORLD = (4, 5)
_NUMBERS = (Kind.NUMBER, Kind.ARRAY, Kind.NONE)
_REACH = 12
_CALLS = 3


def differentiates(event: Event, frame: Frame) -> bool:
    """True for backward(), autograd.grad(), requires_grad and the like, here or in a helper."""
    own = _own_step(event, frame)
    if own is not None:
        return may_train(own)
    if asks_for_gradient(event, frame.function):
        return True
    call = event.term if isinstance(event, Evaluated) else None
    inner = entered_by(call, frame) if isinstance(call, Call) else None
    return inner is not None and any(
        asks_for_gradient(one, inner.function) and not is_kept_from(one, call, inner, frame)  # type: ignore[arg-type]
        for one in inner.function.events
        if _own_step(one, inner) is None
    )


def _own_step(event: Event, frame: Frame) -> Frame | None:
    """The function that self.step(batch) or step(model, batch) enters: the project says what this step does."""
    call = event.term if isinstance(event, Evaluated) else None
    if not isinstance(call, Call) or last_name(call) != "step":
        return None
    is_own = not isinstance(call.callee, Attribute) or frame.is_self(call.callee.base)
    return entered_by(call, frame) if is_own else None


def may_train(frame: Frame, depth: int = _CALLS, by: tuple[Call, Frame] | None = None) -> bool:
    """True for a function that asks for a gradient or calls train(), itself or in what it calls. by: the call that
    enters it, and where that stands: its arguments may rule some of it out."""
    for event in frame.function.events:
        if by is not None and is_kept_from(event, by[0], frame, by[1]):
            continue
        if asks_for_gradient(event, frame.function) and (depth == 0 or _own_step(event, frame) is None):
            return True
        call = event.term if isinstance(event, Evaluated) and isinstance(event.term, Call) else None
        if call is not None and kind_of(call, frame) == "train":
            return True
        inner = entered_by(call, frame) if call is not None and depth else None
        if inner is not None and call is not None and may_train(inner, depth - 1, (call, frame)):
            return True
    return False


def asks_for_gradient(event: Event, function: Function) -> bool:
    if isinstance(event, Write):
        return event.attribute == "requires_grad"
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return False
    name, callee = last_name(event.term), event.term.callee
    if name == "step" and isinstance(callee, Attribute):
        return not _STEPS_OTHERWISE.fullmatch(_last_written(callee.base)) and not _is_taken_apart(event.term, function)
    return bool(_DIFFERENTIATES.fullmatch(name))


def _last_written(term: Term) -> str:
    """The last name of an object that is called: "scheduler" of self.schedulers[0] and of scheduler."""
    while isinstance(term, (Subscript, Element, Item)):
        term = term.iterable if isinstance(term, Element) else term.base
    return getattr(term, "name", "") or last_name(term)


def _is_taken_apart(call: Call, function: Function) -> bool:
    """True for `observation, reward, done, info = env.step(action)`: no optimizer returns that many."""
    uses = parents_in(function).get(id(call), ())
    return any(isinstance(use, Item) and use.length in _OF_A_WORLD for use in uses)


def entered_by(call: Call, frame: Frame) -> Frame | None:
    """The function of the project that a call enters, as a frame; None for any other call."""
    if kind_of(call, frame):
        return None
    target = frame.value(call.callee).of
    evaluator = frame.evaluator
    if isinstance(target, BoundClosure):
        return evaluator.nested_frame(target.function, target.frame)
    if not isinstance(target, Function):
        return None
    is_own = isinstance(call.callee, Attribute) and frame.is_self(call.callee.base)
    return evaluator.frame(target, frame.view if is_own else _owner(call, frame) if target.owner else None)


def _owner(call: Call, frame: Frame) -> ModuleClass | None:
    callee = call.callee
    value = frame.value(callee.base) if isinstance(callee, Attribute) else TensorValue()
    return value.of if hasattr(value.of, "ancestors") else None


def gives_numbers(frame: Frame) -> bool:
    """True for a function that returns nothing that could be differentiated."""
    value = frame.evaluator.returned(frame)
    parts = value.items if value.items else (value,)
    return all(one.kind in _NUMBERS for one in parts)


def is_differentiated(moment: Moment) -> bool:
    """True where the caller differentiates what a call returns, or keeps it on an object, where others may."""
    assert isinstance(moment.event, Evaluated)
    return any(
        _holds(event.value if isinstance(event, Write) else event.term, moment.event.term, _REACH)
        for event in moment.frame.function.events
        if isinstance(event, Write)
        or (isinstance(event, Evaluated) and asks_for_gradient(event, moment.frame.function))
    )


def _holds(term: Term, part: Term, depth: int) -> bool:
    return term is part or (depth > 0 and any(_holds(one, part, depth - 1) for one in children(term)))
