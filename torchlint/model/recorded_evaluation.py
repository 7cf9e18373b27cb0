"""Evaluation loops that autograd records: after eval(), with no backward pass to come, and no no_grad around."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torchlint.knowledge.graphs import WITHOUT_GRADIENTS
from torchlint.model.callers import callers_of, is_test
from torchlint.model.evaluation_phases import Phase, is_counted, is_entered_by, open_mode, phase_of, repeats
from torchlint.model.events import Evaluated, Event, Region, RegionKind, Return, Write
from torchlint.model.facts import Function
from torchlint.model.fed_loops import feeds, is_fed_by_element
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.frozen_networks import is_given_frozen
from torchlint.model.gradient_requests import (
    differentiates,
    entered_by,
    gives_numbers,
    is_differentiated,
    may_train,
)
from torchlint.model.regions import grad_is_off
from torchlint.model.same_object import Key, Step, bases_of, is_of_self, keys_of, steps_of
from torchlint.model.terms import Attribute, Call, Choice, Constant, Term, children
from torchlint.model.values import Kind
from torchlint.source import Span

_GRAD_OFF = frozenset(("no_grad", "inference_mode"))
_SPEAKS_OF_GRAD = re.compile(r".*(grad|inference|frozen|freeze|eval).*", re.IGNORECASE)
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class RecordedEvaluation:
    """An evaluation loop with gradients on.

    span: the eval() call; the first forward call where a helper calls eval(). model: the object, as it is written.
    forward: the call in the loop. switched: the eval() call, where that is another place.
    """

    span: Span
    model: str
    forward: Span
    switched: Span


def recorded_evaluations(frame: Frame) -> Iterator[RecordedEvaluation]:
    """The eval() calls of a function after which a loop runs the model while autograd records."""
    if WITHOUT_GRADIENTS.fullmatch(frame.function.name) or frame.function.name == "forward" or _is_off_in_file(frame):
        return
    if is_test(frame):
        # A few small batches, forgotten when the test ends.
        return
    steps = list(steps_of(frame))
    for step in steps:
        found = _recorded_after(step, steps, frame)
        if found is not None:
            yield _described(step, found, frame)
            if step.within:
                return


def _recorded_after(step: Step, steps: list[Step], frame: Frame) -> Moment | None:
    """The forward call that autograd records in the evaluation that a step begins; None where there is none."""
    # A helper that switches the mode is of interest where it returns the model: it has loaded it.
    is_loaded = ("term", id(step.call)) in step.keys
    is_open = open_mode(step) is not None
    if (step.kind != "eval" and not is_open) or (step.within and not is_loaded) or not _is_network(step, frame):
        return None
    phase = phase_of(step, frame)
    window = _window(step, steps, phase)
    asks = [event for event in frame.function.events if differentiates(event, frame)]
    of_window = {id(event) for event in window}
    ruled_out = [event for event in asks if not phase.holds(event)]
    if any(id(event) in of_window and phase.holds(event) for event in asks) or (is_open and not ruled_out):
        return None
    found = next(_recorded(phase, window, steps, asks), None)
    if found is None or (ruled_out and _is_chosen(found, window, phase)) or _is_spared_by_callers(phase):
        return None
    callee = step.call.callee
    is_frozen = isinstance(callee, Attribute) and not step.within and is_given_frozen(callee.base, frame)
    return None if is_frozen else found


def _described(step: Step, forward: Moment, frame: Frame) -> RecordedEvaluation:
    while step.within and forward.caller is not None:
        forward = forward.caller
    assert isinstance(forward.event, Evaluated)
    called = forward.frame.span(forward.event.term.place)
    switched = frame.span(step.call.place)
    callee = step.call.callee
    model = _written(callee.base) if isinstance(callee, Attribute) and not step.within else ""
    return RecordedEvaluation(called if step.within else switched, model or "the model", called, switched)


def _written(term: Term) -> str:
    """A name as a person wrote it: self.model, net; "" where it is no name."""
    if isinstance(term, Attribute):
        base = _written(term.base)
        return f"{base}.{term.name}" if base else ""
    name = getattr(term, "name", "")
    return name if isinstance(name, str) else ""


def _is_network(step: Step, frame: Frame) -> bool:
    """False for what is known to be no nn.Module, or to switch gradients off itself."""
    callee = step.call.callee
    value = frame.value(callee.base if isinstance(callee, Attribute) and not step.within else step.call)
    if value.kind not in (Kind.MODULE, Kind.UNKNOWN, Kind.NONE) and value.made_by != "torch.load":
        return False
    forward = value.of.method("forward") if value.kind is Kind.MODULE and value.of is not None else None
    return forward is None or not any(last_name(decorator) in _GRAD_OFF for decorator in forward.decorators)


def _window(step: Step, steps: list[Step], phase: Phase) -> list[Event]:
    """The events after an eval() up to the train() of the same object."""
    events = phase.frame.function.events
    start = next(position for position, event in enumerate(events) if event is step.event)
    others = [one.event for one in steps if one.kind == "train" and one.keys & step.keys]
    ends = {id(event) for event in others if phase.holds(event)}
    window: list[Event] = []
    for event in events[start + 1 :]:
        if id(event) in ends:
            break
        window.append(event)
    return window


# Forward calls


def _recorded(phase: Phase, window: list[Event], steps: list[Step], asks: list[Event]) -> Iterator[Moment]:
    """The forward calls of the window that run in a loop of their own and that autograd records."""
    around = {id(region): region for region in phase.step.event.regions}
    shown = [Moment(event, phase.frame) for event in window if phase.holds(event)]
    for moment in _forwards(shown, phase.step.keys, _DEPTH):
        loops = [(level, loop) for level, loop in _loops(moment) if feeds(loop, level)]
        is_own = any(id(loop) not in around for _, loop in loops)
        if (is_own or any(_evaluates(*one, phase, steps, asks) for one in loops)) and not records_nothing(moment):
            yield moment


def _evaluates(level: Moment, loop: Region, phase: Phase, steps: list[Step], asks: list[Event]) -> bool:
    """True for a loop around the eval() that does nothing but evaluate."""
    if not repeats(loop, phase, steps, asks):
        return False
    if any(loop in event.regions for event in asks):
        return True
    return not is_counted(loop) and is_fed_by_element(loop, level)


def _is_chosen(found: Moment, window: list[Event], phase: Phase) -> bool:
    """True where another condition decides that the call runs, and a call without gradients stands beside it."""
    first = found
    while first.caller is not None:
        first = first.caller
    if phase.is_certain(first.event):
        return False
    shown = [Moment(other, phase.frame) for other in window]
    return any(records_nothing(other) for other in _forwards(shown, phase.step.keys, _DEPTH))


def _forwards(moments: list[Moment], keys: frozenset[Key], depth: int) -> Iterator[Moment]:
    """The calls of the object itself, also inside helpers that get it."""
    for moment in moments:
        event, frame = moment.event, moment.frame
        if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
            continue
        call = event.term
        if _is_forward(call, keys, frame):
            yield moment
        elif depth:
            inner = entered_by(call, frame)
            if inner is not None and all(one.function is not inner.function for one in moment.functions()):
                passed = _passed(call, inner, frame, keys)
                inside = [Moment(one, inner, moment) for one in inner.function.events]
                yield from _forwards(inside, passed, depth - 1) if passed else ()


def _is_forward(call: Call, keys: frozenset[Key], frame: Frame) -> bool:
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name in ("forward", "__call__", "module"):
        callee = callee.base
    called = keys_of(callee, frame)
    if not call.inputs or called & keys:
        return bool(call.inputs)
    # A part of the object that is known to be a module.
    is_part = any(one in keys for key in called for one in bases_of(key))
    return is_part and frame.value(callee).kind is Kind.MODULE


def _passed(call: Call, inner: Frame, frame: Frame, keys: frozenset[Key]) -> frozenset[Key]:
    """The names under which the function that is entered knows the object."""
    target = inner.function
    positions = {parameter.name: index for index, parameter in enumerate(target.parameters)}
    offset = 1 if target.owner is not None and isinstance(call.callee, Attribute) else 0
    given = [(index + offset, term) for index, term in enumerate(call.arguments)]
    given += [(positions[name], term) for name, term in call.keywords if name in positions]
    found: set[Key] = {("argument", id(target), index) for index, term in given if keys_of(term, frame) & keys}
    if inner.view is not None and isinstance(call.callee, Attribute) and keys_of(call.callee.base, frame) & keys:
        found.add(("self", id(inner.view)))
    if inner.view is not None and isinstance(call.callee, Attribute):
        own = _as_own(keys, keys_of(call.callee.base, frame), ("self", id(inner.view)))
        found |= set() if own and may_train(inner) else own
    if inner.outer is not None or inner.view is frame.view:
        found |= {key for key in keys if is_of_self(key)}
    return frozenset(found | (set(keys) if inner.outer is not None else set()))


def _as_own(keys: frozenset[Key], owners: frozenset[Key], own: Key) -> set[Key]:
    """The names by which a method knows what is an attribute of its object: learner.model is self.model there."""
    return {("attribute", own, key[2]) for key in keys if key[0] == "attribute" and key[1] in owners and key[1] != own}


def _loops(moment: Moment) -> Iterator[tuple[Moment, Region]]:
    """The loops around a call, and around the calls that led to it, each with the call that stands in it."""
    one: Moment | None = moment
    while one is not None:
        for region in one.event.regions:
            if region.kind is RegionKind.LOOP:
                yield one, region
        one = one.caller


# Gradients off


def records_nothing(moment: Moment) -> bool:
    """True where gradients are off at a call, or where a context or a test that we do not understand may say so."""
    if grad_is_off(moment, moment.frame.evaluator):
        return True
    if any(_may_turn_off(region.subject, frame) for region, frame in moment.managers()):
        return True
    decorators = [(decorator, frame) for frame in moment.functions() for decorator in frame.method.decorators]
    if any(_may_turn_off(decorator, frame) for decorator, frame in decorators):
        return True
    one: Moment | None = moment
    while one is not None:
        if _is_switched_off(one):
            return True
        one = one.caller
    return False


def _may_turn_off(term: Term, frame: Frame, depth: int = 6) -> bool:
    """True for a choice with no_grad() in it, a helper that returns or opens one, and a name that speaks of it."""
    if _SPEAKS_OF_GRAD.fullmatch(last_name(term)):
        return last_name(term) != "enable_grad"
    if depth <= 0:
        return False
    if isinstance(term, Choice):
        return any(_may_turn_off(option, frame, depth - 1) for option in term.options)
    inner = entered_by(term, frame) if isinstance(term, Call) else None
    if inner is not None:
        opened = [r.subject for event in inner.function.events for r in event.regions if r.kind is RegionKind.WITH]
        returned = [event.value for event in inner.function.events if isinstance(event, Return)]
        return any(_may_turn_off(one, inner, depth - 2) for one in (*opened, *returned))
    if isinstance(term, Attribute) and frame.view is not None and frame.is_self(term.base):
        writes = frame.view.state.writes(term.name)
        return any(_may_turn_off(m.event.value, m.frame, depth - 2) for m in writes if isinstance(m.event, Write))
    return any(_may_turn_off(part, frame, depth - 1) for part in children(term))


def _is_switched_off(moment: Moment) -> bool:
    """True where a statement before the call has switched gradients off: torch.set_grad_enabled(False), or the entering
    of a context."""
    off = False
    for event in moment.frame.function.events:
        if event is moment.event:
            return off
        term = event.term if isinstance(event, Evaluated) else None
        if not isinstance(term, Call):
            continue
        if last_name(term) == "set_grad_enabled" and term.arguments:
            off = moment.frame.value(term.arguments[0]).constant is not True
        elif last_name(term) in ("enter_context", "__enter__"):
            off = off or any(_may_turn_off(part, moment.frame) for part in children(term))
    return off


def _is_off_in_file(frame: Frame) -> bool:
    """True where the file itself switches gradients off when it is loaded."""
    top = frame.evaluator.project.top_of(frame.method)
    known: bool | None = top.derived.get("gradients are off")
    if known is None:
        known = top.derived["gradients are off"] = _switches_off(top)
    return known


def _switches_off(top: Function) -> bool:
    return any(
        isinstance(event, Evaluated)
        and isinstance(event.term, Call)
        and last_name(event.term) == "set_grad_enabled"
        and bool(event.term.arguments)
        and isinstance(event.term.arguments[0], Constant)
        and event.term.arguments[0].value is False
        for event in top.events
    )


def _is_spared_by_callers(phase: Phase) -> bool:
    """True where no known caller evaluates, or every one that does switches gradients off, or may differentiate what
    the function returns."""
    callers = list(callers_of(phase.frame))
    is_number = gives_numbers(phase.frame)
    return bool(callers) and all(
        records_nothing(moment)
        or (not is_number and is_differentiated(moment))
        or WITHOUT_GRADIENTS.fullmatch(moment.frame.function.name)
        for moment in callers
        if is_entered_by(moment, phase)
    )
