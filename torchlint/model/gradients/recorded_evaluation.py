"""Evaluation loops that autograd records: after eval(), with no backward pass to come, and no no_grad around."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from torchlint.knowledge.graphs import WITHOUT_GRADIENTS
from torchlint.model.evaluation.bound import applied
from torchlint.model.events import Evaluated, Event, Region, RegionKind
from torchlint.model.flow.callers import callers_of, is_test
from torchlint.model.flow.same_object import Key, Step, bases_of, is_kept_from, is_of_self, keys_of, kind_of, steps_of
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.gradients.evaluation_phases import Phase, is_counted, is_entered_by, open_mode, phase_of, repeats
from torchlint.model.gradients.given_batches import is_given_batches
from torchlint.model.gradients.inner_derivatives import asks, needs_gradients
from torchlint.model.gradients.off import is_off_in_file, records_nothing
from torchlint.model.gradients.programs import is_off_in_programs
from torchlint.model.gradients.recording import is_run_quietly
from torchlint.model.gradients.requests import (
    entered_by,
    gives_numbers,
    is_differentiated,
    may_train,
)
from torchlint.model.modes.frozen_networks import is_given_frozen
from torchlint.model.names.methods_by_name import entered_by_name
from torchlint.model.terms import Attribute, Call, Term
from torchlint.model.training.fed_loops import feeds, is_fed_by_element
from torchlint.model.values import Kind
from torchlint.source import Span

_GRAD_OFF = frozenset(("no_grad", "inference_mode"))
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
    """The eval() calls of a function after which a loop runs the model while autograd records; one that a later eval()
    follows, here or in the function that is called, is told there."""
    found = _evaluations(frame)
    for step, forwards in found:
        later = (one for one, others in found if not one.within and others[0].event is forwards[0].event)
        untold = next((one for one in forwards if not _is_told_within(one)), None)
        if untold is not None and not any(_follows(one, step, frame) for one in later):
            yield _described(step, untold, frame)


def _evaluations(frame: Frame) -> tuple[tuple[Step, list[Moment]], ...]:
    """The changes of mode that begin such an evaluation, and the forward calls in it."""
    return frame.once("recorded evaluations", lambda: _find_evaluations(frame))


def _find_evaluations(frame: Frame) -> Iterator[tuple[Step, list[Moment]]]:
    if WITHOUT_GRADIENTS.fullmatch(frame.function.name) or frame.function.name == "forward" or is_off_in_file(frame):
        return
    if is_test(frame):
        # A few small batches, forgotten when the test ends.
        return
    steps = list(steps_of(frame))
    for step in steps:
        found = _recorded_after(step, steps, frame) or _recorded_within(step, steps, frame)
        if found and not is_off_in_programs(frame):
            yield step, found
            if step.within:
                return


def _follows(later: Step, step: Step, frame: Frame) -> bool:
    """True for an eval() after another, where no condition keeps it from happening."""
    events = frame.function.events
    return events.index(step.event) < events.index(later.event) and phase_of(step, frame).is_certain(later.event)


def _is_told_within(forward: Moment) -> bool:
    """True where a function that leads to the call switches the mode by itself and is told."""
    spans: set[Span] = set()
    moment = forward
    while moment.caller is not None:
        assert isinstance(moment.event, Evaluated)
        spans.add(moment.frame.span(moment.event.term.place))
        inner = [(step, one) for step, found in _evaluations(moment.frame) for one in found]
        if any(_described(step, one, moment.frame).forward in spans for step, one in inner):
            return True
        moment = moment.caller
    return False


def _recorded_after(step: Step, steps: list[Step], frame: Frame) -> list[Moment]:
    """The forward calls that autograd records in the evaluation that a step begins."""
    is_open = open_mode(step) is not None
    if (step.kind != "eval" and not is_open) or not _is_own(step, frame) or not _is_network(step, frame):
        return []
    phase = phase_of(step, frame)
    window = _window(step, steps, phase)
    asking = [event for event in frame.function.events if asks(event, frame)]
    of_window = {id(event) for event in window}
    ruled_out = [event for event in asking if not phase.holds(event)]
    if any(id(event) in of_window and phase.holds(event) for event in asking) or (is_open and not ruled_out):
        return []
    found = list(_recorded(phase, window, steps, asking))
    if not found and not asking and not step.within:
        found = _recorded_once(phase, window)
    if not found or (ruled_out and _is_chosen(found[0], window, phase)) or _is_spared_by_callers(phase):
        return []
    callee = step.call.callee
    if not isinstance(callee, Attribute) or step.within:
        return found
    return [] if is_given_frozen(callee.base, frame, _outermost(found[0]).event) else found


def _recorded_within(step: Step, steps: list[Step], frame: Frame) -> list[Moment]:
    """The same for a helper that switches the mode and runs one batch, where a loop gives it batch after batch."""
    if step.kind != "eval" or not step.within or _is_own(step, frame) or asks(step.event, frame):
        return []
    phase, moment = phase_of(step, frame), Moment(step.event, frame)
    around = [loop for _, loop in _loops(moment) if is_fed_by_element(loop, moment) and not is_counted(loop)]
    asking = [event for event in frame.function.events if around and asks(event, frame)]
    if not any(repeats(loop, phase, steps, asking) for loop in around) or _is_spared_by_callers(phase):
        return []
    found = list(_forwards([moment], phase.step.keys, _DEPTH))
    is_looped = any(level is not moment for one in found for level, _ in _loops(one))
    is_recorded = not any(records_nothing(one) or needs_gradients(one) for one in found)
    return found if not is_looped and is_recorded else []


def _is_own(step: Step, frame: Frame) -> bool:
    """True for an eval() of the function itself. A helper that switches the mode is of interest where it returns the
    model, which it has loaded, or does nothing else."""
    if not step.within or ("term", id(step.call)) in step.keys:
        return True
    inner = entered_by(step.call, frame)
    return inner is not None and all(kind_of(call, inner) in ("eval", "train") for call in inner.function.calls)


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


def _recorded(phase: Phase, window: list[Event], steps: list[Step], asking: list[Event]) -> Iterator[Moment]:
    """The forward calls of the window that run in a loop of their own and that autograd records."""
    around = {id(region): region for region in phase.step.event.regions}
    shown = [Moment(event, phase.frame) for event in window if phase.holds(event)]
    for moment in _forwards(shown, phase.step.keys, _DEPTH):
        loops = [(level, loop) for level, loop in _loops(moment) if feeds(loop, level)]
        is_own = any(id(loop) not in around for _, loop in loops)
        is_fed = is_own or any(_evaluates(*one, phase, steps, asking) for one in loops)
        if is_fed and not records_nothing(moment) and not needs_gradients(moment):
            yield moment


def _evaluates(level: Moment, loop: Region, phase: Phase, steps: list[Step], asking: list[Event]) -> bool:
    """True for a loop around the eval() that does nothing but evaluate."""
    if not repeats(loop, phase, steps, asking):
        return False
    if any(loop in event.regions for event in asking):
        return True
    return not is_counted(loop) and is_fed_by_element(loop, level)


def _recorded_once(phase: Phase, window: list[Event]) -> list[Moment]:
    """The same where no loop stands in the function, but around the calls of it."""
    shown = [Moment(event, phase.frame) for event in window if phase.holds(event)]
    forwards = list(_forwards(shown, phase.step.keys, _DEPTH))
    is_recorded = bool(forwards) and not any(records_nothing(one) or needs_gradients(one) for one in forwards)
    return forwards if is_recorded and is_given_batches(phase.frame) else []


def _is_chosen(found: Moment, window: list[Event], phase: Phase) -> bool:
    """True where another condition decides that the call runs, and a call without gradients stands beside it."""
    if phase.is_certain(_outermost(found).event):
        return False
    shown = [Moment(other, phase.frame) for other in window]
    return any(records_nothing(other) for other in _forwards(shown, phase.step.keys, _DEPTH))


def _outermost(moment: Moment) -> Moment:
    """The call in the function that is looked at, which led to another."""
    while moment.caller is not None:
        moment = moment.caller
    return moment


def _forwards(moments: list[Moment], keys: frozenset[Key], depth: int) -> Iterator[Moment]:
    """The calls of the object itself, also inside helpers that get it."""
    for moment in moments:
        event, frame = moment.event, moment.frame
        if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
            continue
        call = applied(event.term, frame)
        if _is_forward(call, keys, frame):
            yield moment
        elif depth:
            inner = entered_by(call, frame)
            if inner is None:
                yield from _forwards_by_name(call, moment, keys, depth)
            elif all(one.function is not inner.function for one in moment.functions()):
                passed = _passed(call, inner, frame, keys)
                yield from _forwards(_inside(inner, call, moment), passed, depth - 1) if passed else ()


def _inside(inner: Frame, call: Call, moment: Moment) -> list[Moment]:
    """What happens in the function that a call enters, without what its arguments rule out."""
    events = (event for event in inner.function.events if not is_kept_from(event, call, inner, moment.frame))
    return [Moment(event, inner, moment) for event in events]


def _forwards_by_name(call: Call, moment: Moment, keys: frozenset[Key], depth: int) -> Iterator[Moment]:
    """The same for a method of the object, or of a part of it, whose class is not known: where each method of that name
    that modules of the project have runs something and asks for no gradient."""
    callee = call.callee
    if not isinstance(callee, Attribute) or not call.inputs or not _is_of(callee.base, keys, moment.frame):
        return
    found: list[list[Moment]] = []
    for inner in entered_by_name(call, moment.frame):
        own = frozenset({("self", id(inner.view))})
        found.append([] if may_train(inner) else list(_forwards(_inside(inner, call, moment), own, depth - 1)))
    if all(found) and not any(records_nothing(one) for one in chain(*found)):
        yield from chain(*found)


def _is_of(term: Term, keys: frozenset[Key], frame: Frame) -> bool:
    """True for the object itself, and for a part of it."""
    named = keys_of(term, frame)
    return bool(named & keys) or any(one in keys for key in named for one in bases_of(key))


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
    """The names by which a method knows what is an attribute of its object, or an element of one: learner.model is
    self.model there."""
    found: set[Key] = set()
    for key in keys:
        if key[0] == "attribute" and key[1] in owners and key[1] != own:
            found.add(("attribute", own, key[2]))
        elif key[0] in ("element", "item") and isinstance(key[1], tuple):
            found |= {(key[0], inner, *key[2:]) for inner in _as_own(frozenset({key[1]}), owners, own)}
    return found


def _loops(moment: Moment) -> Iterator[tuple[Moment, Region]]:
    """The loops around a call, and around the calls that led to it, each with the call that stands in it."""
    one: Moment | None = moment
    while one is not None:
        for region in one.event.regions:
            if region.kind is RegionKind.LOOP:
                yield one, region
        one = one.caller


# Callers


def _is_spared_by_callers(phase: Phase) -> bool:
    """True where no known caller evaluates, or every one that does switches gradients off, or may differentiate what
    the function returns."""
    callers = list(callers_of(phase.frame))
    is_number = gives_numbers(phase.frame)
    return bool(callers) and all(
        is_run_quietly(moment) or (not is_number and is_differentiated(moment))
        for moment in callers
        if is_entered_by(moment, phase)
    )
